import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** Static files of a function: `methods.json` for the gateway, the documentation page for `/docs`. */
export function readAsset(config: Config, name: string): Promise<string> {
  // In Lambda they are in the folder of the bundle.
  const folder = config.assets_dir ?? join(process.env.LAMBDA_TASK_ROOT ?? '.', 'assets');
  return readFile(join(folder, name), 'utf8');
}
