import type { Body } from './api.ts';
import type { Place } from './place.ts';

/** What the page is made of: a section has a list, and a detail of the record that the address names. */

/** What a key does, and how the help calls it. */
export interface Key {
  label: string;
  press(): unknown;
}

export interface Pane {
  element: HTMLElement;
  title: string;
  /** Reads again what it shows. */
  refresh(): Promise<void>;
  keys?: Record<string, Key>;
  /** Ends what runs for it alone. */
  close?(): void;
}

export interface Section {
  title: string;
  /** The key after `g`. */
  letter: string;
  list(place: Place): Pane;
  detail?(id: string): Pane;
}

export type User = Body<'retrieveCurrentUser'>['user'];

/** Whom the key identifies, and the colleagues whose names the page needs. */
export interface Session {
  user: User;
  colleagues: { id: string; name: string; time_zone: string }[];
}

let session: Session | undefined;

export const setSession = (given: Session | undefined) => {
  session = given;
};

export function getSession(): Session {
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

const colleagueOf = (user_id: string | null | undefined) =>
  getSession().colleagues.find(({ id }) => id === user_id);

/** A name for a user id; agents act without a user. */
export const nameOf = (user_id: string | null | undefined, otherwise = 'Somebody') =>
  colleagueOf(user_id)?.name ?? otherwise;

/** Undefined for nobody. */
export const timeZoneOf = (user_id: string | null) => colleagueOf(user_id)?.time_zone;
