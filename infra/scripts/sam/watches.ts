import { readFileSync } from 'node:fs';

/** How many inotify instances a user of Linux may have: https://man7.org/linux/man-pages/man7/inotify.7.html */
const LIMIT = '/proc/sys/fs/inotify/max_user_instances';

/** Instances for other programs of the user. */
const OTHERS = 64;

/** Undefined where there is no such limit: on other systems. */
export function readWatchLimit(): number | undefined {
  try {
    return Number(readFileSync(LIMIT, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * SAM watches the code of each function that has a container, with an inotify instance of its own. Undefined when that goes
 * for all of them at once; else the line that says what to do.
 */
export function watchHint(functions: number, limit: number | undefined): string | undefined {
  const needed = functions + OTHERS;
  if (limit === undefined || limit >= needed) return undefined;
  return [
    `SAM watches the code of each function that was called, and this machine has ${limit} inotify instances for ${functions} functions:`,
    'beyond it answers 502. To call more of them in one run:',
    `sudo sysctl fs.inotify.max_user_instances=${needed}`,
  ].join(' ');
}
