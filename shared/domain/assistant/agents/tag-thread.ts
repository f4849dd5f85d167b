import { asOfNow } from '#shared/context.ts';
import { counted } from '#shared/domain/assistant/answering/usage.ts';
import {
  applyAsAgent,
  draftProposal,
  type ProposalDraft,
} from '#shared/domain/assistant/proposals/propose.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { isLiveTag, type Tag } from '#shared/domain/collaboration/tags/tag.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { inChargeOf } from '#shared/domain/mail/mailboxes/in-charge.ts';
import { visibleMessages } from '#shared/domain/mail/threads/entry.ts';
import { mailboxesOf, type Thread } from '#shared/domain/mail/threads/thread.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, mustNotExist, type Table, type Write } from '#shared/table/table.ts';
import type { AgentRun } from './agent-run.ts';
import { isImpossible } from './offer.ts';
import { threadText } from './thread-text.ts';

/** The user for whom tags are chosen: the owner of a mailbox with the newest mail, or who took over from the owner. */
async function ownerOf({ ctx, thread, messages, members }: AgentRun): Promise<Caller | undefined> {
  for (const message of messages.toReversed()) {
    const owners = members.mailboxes
      .filter(({ id }) => mailboxesOf(message).has(id))
      .flatMap((mailbox) => inChargeOf(mailbox, members.users)?.id ?? []);
    for (const user_id of owners.sort()) {
      const caller = await callerFor(ctx.table, { account_id: thread.account_id, user_id });
      if (caller) return caller;
    }
  }
  return undefined;
}

/** Records that a tag was chosen for a thread; its key names both. */
type OfferedTag = Item & { tag_id: string };

/** Tags that allow it, that the thread does not have, and that were not chosen for it before. */
async function openTags(table: Table, thread: Thread): Promise<Tag[]> {
  const { PK, SK } = keys.offeredTag(thread.id, '');
  const [dictionary, offered] = await Promise.all([
    tagDictionary(table, thread.account_id),
    table.all<OfferedTag>(PK, SK),
  ]);
  const chosen = new Set(offered.map(({ tag_id }) => tag_id));
  return [...dictionary.values()].filter(
    (tag) =>
      isLiveTag(tag) && tag.applicable_to_interactions && !thread.tag_ids?.has(tag.id) && !chosen.has(tag.id),
  );
}

async function offer({ ctx, configuration, thread }: AgentRun, caller: Caller, tag_id: string) {
  const offering = { ...asOfNow(ctx), caller };
  const draft: ProposalDraft = {
    action_type: 'tag.apply',
    params: { record_type: 'thread', record_id: thread.id, tag_id },
    rationale: null,
    agent_slug: 'auto_tag',
    source: { type: 'thread', id: thread.id },
  };
  const offered: OfferedTag = { ...keys.offeredTag(thread.id, tag_id), tag_id };
  // A second choice fails.
  const once: Write = { put: offered, when: mustNotExist };
  try {
    if (configuration.mode === 'auto_apply') await applyAsAgent(offering, draft, [once]);
    else await commit(offering, together(await draftProposal(offering, draft), [once]));
  } catch (error) {
    // Another worker chose it, or the tag or the thread is gone.
    if (!(error instanceof ConditionFailed) && !isImpossible(error)) throw error;
  }
}

/** Agent `auto_tag`: tags that match what the owner of the mailbox reads, proposed to or applied for that user. */
export async function tagThread(run: AgentRun): Promise<void> {
  const { ctx, assistant, configuration, thread, messages, deadline } = run;
  const [caller, tags] = await Promise.all([ownerOf(run), openTags(ctx.table, thread)]);
  if (!caller || tags.length === 0) return;
  const text = await threadText(ctx, thread, visibleMessages(caller.user, thread, messages));
  const work = { account_id: thread.account_id, purpose: configuration.agent_slug, assistant };
  const { tag_ids } = await counted(ctx, work, () =>
    assistant.chooseTags(text, tags, configuration.instructions, deadline),
  );
  for (const tag_id of tag_ids) await offer(run, caller, tag_id);
}
