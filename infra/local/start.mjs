// `npm start`, on any Node from 20 on: installs what is missing and continues in up.ts, on Node 24. It does so itself
// because npm runs no `prestart` where install scripts are off (ignore-scripts).
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { node } from '../scripts/install.mjs';

if (realpathSync(node) === realpathSync(process.execPath)) await import('./up.ts');
else {
  const up = fileURLToPath(new URL('up.ts', import.meta.url));
  const child = spawn(node, [up, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  // npm sends a signal to its shell only.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill(), 250).unref();
  child.once('exit', (code) => process.exit(code ?? 1));
}
