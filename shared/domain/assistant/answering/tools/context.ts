import type { KnowsActions } from '#shared/domain/assistant/proposals/actions/action.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { type Ref, refKey } from '#shared/domain/collaboration/replies/block.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import type { AsksAssistant } from '../assistant.ts';
import type { ReplyDraft } from '../draft.ts';
import type { KnowsRecordTools } from './record-tools.ts';

/** The ports that answering requires. */
export type AnsweringPorts = SeesRecords &
  ShowsReplies &
  KnowsContacts &
  KeepsLists &
  KnowsActions &
  KnowsRecordTools &
  AsksAssistant;

/** The state that the tools of one answer share. The caller is the user who asked: tools return what this user sees. */
export interface ToolContext extends CallerContext<AnsweringPorts> {
  draft: ReplyDraft;
  /** The source of proposals. */
  source: Ref;
  /** Records that tools returned, by `refKey`: only those can be referred to. */
  given: Set<string>;
}

export function give(ctx: ToolContext, type: string, ids: Iterable<string>): void {
  for (const id of ids) ctx.given.add(refKey({ type, id }));
}
