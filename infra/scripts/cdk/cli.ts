import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../../aws/bundle.ts';

/** Runs the CDK CLI of this project; its exit code. */
export function runCdk(args: string[]): number {
  const cli = join(dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk');
  const { status } = spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}
