import { queues, schedules, socketEvents, streams } from '#shared/queues/queues.ts';
import { app } from './app.ts';
import { assistant } from './assistant.ts';
import { billing } from './billing.ts';
import { bucket } from './bucket.ts';
import { calendars } from './calendars.ts';
import { codes } from './codes.ts';
import type { Kind, Kinds } from './kind.ts';
import { live } from './live.ts';
import { mail } from './mail.ts';
import { mail_providers } from './mail-providers.ts';
import { mailboxes } from './mailboxes.ts';
import { openid } from './openid.ts';
import { push } from './push.ts';
import { queue } from './queue.ts';
import { sign_in } from './sign-in.ts';

import { table } from './table.ts';

/** All kinds of resources that operations and workers may touch, by the name in their `uses`. */
export const kinds = {
  // A line for each kind.
  table,
  bucket,
  queue,
  app,
  assistant,
  push,
  sign_in,
  mail,
  codes,
  openid,
  billing,
  calendars,
  mailboxes,
  mail_providers,
  live,
} satisfies Kinds;

type Named<Name extends string, Of extends Kind> = Of extends {
  modes: readonly (infer Mode extends string)[];
}
  ? `${Name}:${Mode}`
  : Name;

/** The uses of these kinds. */
export type UseOf<Known extends Kinds> = {
  [Name in keyof Known & string]: Named<Name, Known[Name]>;
}[keyof Known & string];

/** A use of an operation or a worker. */
export type Use = UseOf<typeof kinds>;

/** The background work by the names of its workers. An unknown use does not compile. */
export const workers = { ...queues, ...schedules, ...streams } satisfies Record<
  string,
  { uses: readonly Use[] }
>;

/** The functions of sockets by their names. */
export const socketFunctions = socketEvents satisfies Record<string, { uses: readonly Use[] }>;
