"""What a message means: its intent, what it follows up, its readings, its periods and the words of its people."""
