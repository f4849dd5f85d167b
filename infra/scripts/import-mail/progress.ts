import type { ImportCounts } from '../import-archive.ts';

/** What a person sees of an import. */

const BAR = 30;
const SECOND = 1_000;
const MINUTE = 60;

const doneOf = (counts: ImportCounts) =>
  counts.messages_imported + counts.messages_skipped + counts.messages_failed;

function duration(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / MINUTE);
  return minutes < 2 * MINUTE ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Rate and time left since the first counts, so that an import which is followed later has its present rate. */
export class Progress {
  readonly #now: () => number;
  #first: { at: number; done: number } | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  line(counts: ImportCounts): string {
    const done = doneOf(counts);
    const at = this.#now();
    this.#first ??= { at, done };
    const total = counts.messages_total ?? 0;
    const filled = total === 0 ? 0 : Math.min(BAR, Math.round((done / total) * BAR));
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}]`;
    const parts = [bar, `${done}/${counts.messages_total ?? '?'}`, counts.status];
    const rate = ((done - this.#first.done) * SECOND) / (at - this.#first.at);
    if (rate > 0 && Number.isFinite(rate)) {
      parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`);
      if (total > done) parts.push(`${duration((total - done) / rate)} left`);
    }
    return parts.join(' ');
  }
}

/** The end of an import, with its failures. */
export function reportOf(counts: ImportCounts): string {
  const failures = counts.failures.map(
    ({ ordinal, name, reason, message }) =>
      `  message ${ordinal + 1}${name ? ` ${name}` : ''}: ${reason}: ${message}`,
  );
  const sum =
    `${counts.status}: ${counts.messages_total ?? 0} messages, ${counts.messages_imported} imported, ` +
    `${counts.messages_skipped} skipped (already there), ${counts.messages_failed} failed`;
  return [sum, ...failures].join('\n');
}

/** Whether everything arrived. */
export const isWhole = ({ status, messages_failed }: ImportCounts): boolean =>
  status === 'complete' && messages_failed === 0;
