import { vi } from 'vitest';
import { getLogger } from '#shared/log.ts';

/** Everything that is written to standard output and standard error while `work` runs, at every level. */
export async function logged(work: () => Promise<unknown>): Promise<string> {
  let written = '';
  const keep = (chunk: unknown) => {
    written += String(chunk);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep as never),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep as never),
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation((...parts) => keep(`${parts.join(' ')}\n`)),
    ),
  ];
  getLogger().setLogLevel('DEBUG');
  try {
    await work();
  } finally {
    getLogger().setLogLevel('CRITICAL');
    for (const spy of spies) spy.mockRestore();
  }
  return written;
}

/** The lines with this message, read. */
export function linesOf(written: string, message: string): Record<string, unknown>[] {
  return written
    .split('\n')
    .filter((line) => line.includes(`"message":"${message}"`))
    .map((line) => JSON.parse(line));
}
