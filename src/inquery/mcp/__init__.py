"""The MCP door: a server with five tools over stdio and HTTP, and a client of chart servers."""
