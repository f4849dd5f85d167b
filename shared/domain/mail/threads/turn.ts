/**
 * A bounded part of long work, measured in entries, one for each thread and user: this many are updated before the time
 * is checked again.
 */
export interface Turn {
  /** True when there is room for that many entries; reserves it. */
  takes(entries: number): boolean;
  /** Threads to read at a time, for that many users. */
  page(users: number): number;
  /** All or nothing: work that does not fit is not started. */
  whole: boolean;
  timeIsUp(): boolean;
}

/** Entries that a request writes itself: about a second. */
const IN_REQUEST = 200;
/** Entries that a worker writes between two checks of the time; a minute is left at each check. */
const IN_STEP = 1_000;
/** A page ends with the thread with which the next one begins. */
const SMALLEST_PAGE = 2;
const LARGEST_PAGE = 200;

const pageOf = (entries: number, users: number) =>
  Math.min(LARGEST_PAGE, Math.max(SMALLEST_PAGE, Math.floor(entries / Math.max(1, users))));

/** For a request: small work is complete with the response. */
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
