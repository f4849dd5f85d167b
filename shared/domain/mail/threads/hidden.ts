import type {
  Interaction,
  InteractionKind,
} from '#shared/domain/collaboration/share-requests/interaction.ts';
import { keys } from '#shared/table/keys.ts';
import { findThread, seesThread } from './policy.ts';
import { mailboxesOf, type Thread } from './thread.ts';

const interactionOf = (thread: Thread): Interaction => ({
  id: thread.id,
  label: { subject: null },
  mailbox_ids: [...mailboxesOf(thread)],
  isSeenBy: (user) => seesThread(user, thread),
});

/** Threads as interactions that users may ask for. */
export const threadInteractions: InteractionKind = {
  async find(table, account_id, ids) {
    const read = await table.getMany<Thread>(ids.map((id) => keys.record('threads', id)));
    const found = read.map(async (thread) => {
      const end = thread.merged_into ? await findThread(table, account_id, thread.id) : thread;
      return end?.account_id === account_id ? [[thread.id, interactionOf(end)] as const] : [];
    });
    return new Map((await Promise.all(found)).flat());
  },
};
