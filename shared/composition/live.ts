import type { ReachesSockets } from '#shared/domain/identity/sockets/port.ts';
import { comments } from '#shared/domain/insight/live/comments.ts';
import { accounts, credentials, sessions, users } from '#shared/domain/insight/live/endings.ts';
import { mailboxes } from '#shared/domain/insight/live/mailboxes.ts';
import type { LiveKind } from '#shared/domain/insight/live/news.ts';
import { conversationMessages, drafts, notifications, sentDrafts } from '#shared/domain/insight/live/own.ts';
import { proposals } from '#shared/domain/insight/live/proposals.ts';
import { pendingMessages, threadEntries, threads } from '#shared/domain/insight/live/threads.ts';
import { serverOf } from '#shared/providers/sockets/api-gateway.ts';

/** Which changes of items are told to those who listen. */
export const live: readonly LiveKind[] = [
  // A line for each kind of item.
  threadEntries,
  pendingMessages,
  threads,
  comments,
  proposals,
  drafts,
  sentDrafts,
  conversationMessages,
  notifications,
  mailboxes,
  users,
  sessions,
  credentials,
  accounts,
];

/** Where sockets are. For the workers that send to them. */
export const sockets: ReachesSockets = { sockets: serverOf };
