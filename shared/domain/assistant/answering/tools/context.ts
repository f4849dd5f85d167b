import { type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { Services } from '#shared/services.ts';
import type { ReplyDraft } from '../draft.ts';

/** What the tools of one answer share: for whom they look, and what was found and shown so far. */
export interface ToolContext {
  services: Services;
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
