import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import type { ServicesWith } from '#shared/services.ts';
import type { ReplyDraft } from '../draft.ts';

/** What answering asks of the contexts that records are in. */
export type AnsweringPorts = SeesRecords & ShowsReplies & KnowsContacts & KeepsLists;

/** What the tools of one answer share: for whom they look, and what was found and shown so far. */
export interface ToolContext {
  services: ServicesWith<AnsweringPorts>;
  /** The user who asked: tools give what this user sees. */
  caller: Caller;
  now: Date;
  draft: ReplyDraft;
  /** Where proposals come from. */
  source: Ref;
  /** Records that tools gave, by `refKey`: only those are referred to. */
  given: Set<string>;
}

export function give(context: ToolContext, type: string, ids: Iterable<string>): void {
  for (const id of ids) context.given.add(refKey({ type, id }));
}
