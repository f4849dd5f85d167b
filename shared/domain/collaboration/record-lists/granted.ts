import { isDeepStrictEqual } from 'node:util';
import { begun } from '#shared/begun.ts';
import type { Remembered } from './remembered.ts';

/**
 * What a list takes for granted while it reads, and checks beside: that a record of its filter is visible, what its tags stand
 * for, of what a space is made. So a filter costs no round trip before the first read of a list.
 */
export class Granted {
  readonly #checks: Promise<boolean>[] = [];
  readonly #read = new Map<string, Promise<unknown>>();
  #wrong = false;

  /** Whether something turned out to be wrong: nothing is taken for granted any more. */
  get isWrong(): boolean {
    return this.#wrong;
  }

  /** Reads once what is looked at with and without. */
  once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const reading = (this.#read.get(name) as Promise<T> | undefined) ?? read();
    this.#read.set(name, reading);
    return reading;
  }

  /** What was read by an earlier request, or `usual`, while it is read again; what is read where there is neither. */
  known<T>(memory: Remembered<T>, name: string, read: () => Promise<T>, usual?: T): Promise<T> {
    const before = memory.get(name) ?? usual;
    const reading = this.once(name, async () => memory.keep(name, await read()));
    if (this.#wrong || before === undefined) return reading;
    this.take(reading.then((now) => isDeepStrictEqual(now, before)));
    return Promise.resolve(before);
  }

  /** `check` says whether it is right, and throws what refuses the request. */
  take(check: Promise<boolean>): void {
    this.#checks.push(begun(check));
  }

  /** Whether all was right. Throws what refuses the request. */
  async check(): Promise<boolean> {
    this.#wrong = !(await Promise.all(this.#checks)).every((right) => right);
    return !this.#wrong;
  }
}

/** Waits for `check`, which throws what refuses the request; not where that is taken for granted. */
export async function unlessGranted(
  granted: Granted | undefined,
  check: () => Promise<unknown>,
): Promise<void> {
  if (!granted) await check();
  // Once more without it, the check is done.
  else if (!granted.isWrong) granted.take(check().then(() => true));
}

/** Reads with what is taken for granted; once more without, when it was wrong. */
export async function takingForGranted<T>(read: (granted: Granted) => Promise<T>): Promise<T> {
  const granted = new Granted();
  const [found] = await Promise.allSettled([read(granted)]);
  if (!(await granted.check())) return read(granted);
  if (found.status === 'rejected') throw found.reason;
  return found.value;
}
