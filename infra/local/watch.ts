import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onLostParent } from './parent.ts';

/**
 * Runs the same command under Node's own watch mode, which follows imports: when one of these files changes, it ends
 * the run as Ctrl-C does and starts it again (https://nodejs.org/docs/latest-v24.x/api/cli.html#--watch).
 */
export function watch(args: string[]): void {
  const up = join(import.meta.dirname, 'up.ts');
  const options = args.filter((arg) => arg !== '--watch');
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', up, ...options], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  onLostParent(() => child.kill('SIGTERM'));
  child.once('exit', (code) => process.exit(code ?? 1));
}
