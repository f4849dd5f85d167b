export type DemoUserKey = 'ada' | 'grace' | 'linus' | 'hank' | 'mindy';

/** The users whose mailbox is filled from `demoMail` and `globexMail`. */
export type DemoMailbox = 'ada' | 'grace' | 'hank';

export interface DemoUser {
  key: DemoUserKey;
  name: string;
  first_name: string;
  last_name: string;
  email_address: string;
  role: 'owner' | 'member';
  /** An IANA time zone name. */
  time_zone: string;
  week_starts_on: 'monday' | 'sunday';
  mailbox: boolean;
  /** Whether flags and read marks go to the mail server as well. */
  label_sync?: boolean;
}

export interface DemoAccount {
  key: 'acme' | 'globex';
  name: string;
  users: readonly DemoUser[];
}

const ada: DemoUser = {
  key: 'ada',
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@acme.example',
  role: 'owner',
  time_zone: 'Europe/London',
  week_starts_on: 'monday',
  mailbox: true,
};

const grace: DemoUser = {
  key: 'grace',
  name: 'Grace Hopper',
  first_name: 'Grace',
  last_name: 'Hopper',
  email_address: 'grace@acme.example',
  role: 'member',
  time_zone: 'America/New_York',
  week_starts_on: 'sunday',
  mailbox: true,
  label_sync: true,
};

const linus: DemoUser = {
  key: 'linus',
  name: 'Linus Pauling',
  first_name: 'Linus',
  last_name: 'Pauling',
  email_address: 'linus@acme.example',
  role: 'member',
  time_zone: 'Asia/Tokyo',
  week_starts_on: 'sunday',
  // Without mail yet: every message in a shared mailbox is written to the lists of each of its readers.
  mailbox: true,
};

const hank: DemoUser = {
  key: 'hank',
  name: 'Hank Scorpio',
  first_name: 'Hank',
  last_name: 'Scorpio',
  email_address: 'hank@globex.example',
  role: 'owner',
  time_zone: 'America/Los_Angeles',
  week_starts_on: 'sunday',
  mailbox: true,
};

const mindy: DemoUser = {
  key: 'mindy',
  name: 'Mindy Simmons',
  first_name: 'Mindy',
  last_name: 'Simmons',
  email_address: 'mindy@globex.example',
  role: 'member',
  time_zone: 'America/Los_Angeles',
  week_starts_on: 'sunday',
  mailbox: false,
};

/** Acme is where the demo happens. Globex has a little of everything, to show that no account sees another. */
export const demoAccounts: readonly DemoAccount[] = [
  { key: 'acme', name: 'Acme', users: [ada, grace, linus] },
  { key: 'globex', name: 'Globex', users: [hank, mindy] },
];
