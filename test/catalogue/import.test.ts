import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Imports the catalogue in a process without environment, and reports its side effects. */
const script = `
import net from 'node:net';
const seen = [];
const ofOurs = () => new Error().stack.split('\\n').slice(3, 4).some((line) => /\\/(functions|shared)\\//.test(line));
net.Socket.prototype.connect = () => { seen.push('connected'); };
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text) => { seen.push('wrote ' + text); return true; };
process.env = new Proxy({}, {
  get: (_, name) => { if (ofOurs()) seen.push('read ' + String(name)); return undefined; },
  has: () => false,
});
const { operations } = await import(${JSON.stringify(join(root, 'functions/catalogue.ts'))});
write(JSON.stringify({ operations: operations.length, seen, busy: process.getActiveResourcesInfo() }));
`;

it('does nothing when the catalogue is imported with an empty environment', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env: {} },
  );
  const told = JSON.parse(stdout);
  expect(told.operations).toBeGreaterThan(0);
  expect(told.seen).toEqual([]);
  expect(told.busy.filter((kind: string) => /Timeout|TCP|Server|Immediate/.test(kind))).toEqual([]);
  expect(stderr).toBe('');
});
