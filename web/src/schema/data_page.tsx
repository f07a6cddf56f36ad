export default function Page(_: { connection?: string; table?: string; report?: string; section?: string }) { return null; }
