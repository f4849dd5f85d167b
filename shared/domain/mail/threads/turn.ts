/**
 * How much of a long piece of work is done in one go. What it costs is an entry for each thread and user: so many are
 * brought up to date between two looks at the clock.
 */
export interface Turn {
  /** True when there is room for so many entries, which are then taken off it. */
  takes(entries: number): boolean;
  /** Threads that are looked for at a time, for so many users. */
  page(users: number): number;
  /** All of it or nothing: what does not fit is not begun. */
  whole: boolean;
  timeIsUp(): boolean;
}

/** Entries that a request writes itself: about a second. */
const IN_REQUEST = 200;
/** Entries that a worker writes between two looks at the clock, of which it has a minute left then. */
const IN_STEP = 1_000;
/** A page ends with the thread with which the next begins. */
const SMALLEST_PAGE = 2;
const LARGEST_PAGE = 200;

const pageOf = (entries: number, users: number) =>
  Math.min(LARGEST_PAGE, Math.max(SMALLEST_PAGE, Math.floor(entries / Math.max(1, users))));

/** For a request: what is small is complete when it is answered. */
export function atOnce(): Turn {
  let room = IN_REQUEST;
  return {
    takes(entries) {
      if (entries > room) return false;
      room -= entries;
      return true;
    },
    page: (users) => pageOf(room, users),
    whole: true,
    timeIsUp: () => false,
  };
}

/** For a worker: page after page while there is time. */
export function untilTimeIsUp(timeIsUp: () => boolean): Turn {
  return { takes: () => true, page: (users) => pageOf(IN_STEP, users), whole: false, timeIsUp };
}
