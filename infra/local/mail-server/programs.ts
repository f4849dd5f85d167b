import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps servers where the path of ordinary users does not lead. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program; throws what to install. */
export function requireProgram(name: string, debian_package: string): string {
  const found = FOLDERS.map((folder) => join(folder, name)).find(isProgram);
  if (found === undefined)
    throw new Error(`${name} is not installed. On Debian and Ubuntu: sudo apt-get install ${debian_package}`);
  return found;
}
