import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Interaction, InteractionRef, KnowsHidden } from './interaction.ts';
import type { ShareRequest } from './request.ts';
import type { Asked } from './writes.ts';

/** What the caller does not see, and may know of and ask for (docs/specification/people.md, "Share requests"). */

/** Each takes two items of a transaction. docs/specification/people.md, "Share requests". */
const MAX_APPROVERS = 25;

/** Who may give access: those of the oldest mailboxes, when there are many. */
export function approversOf({ mailbox_ids }: Interaction, givers: ReadonlyMap<string, string[]>): string[] {
  const all = mailbox_ids.toSorted().flatMap((id) => givers.get(id) ?? []);
  return [...new Set(all)].slice(0, MAX_APPROVERS);
}

/** All that a user may know of a hidden thread or event. */
export interface HiddenInteraction {
  interaction_type: 'thread' | 'calendar_event';
  interaction_id: string;
  owner_user_ids: string[];
  /** Of the caller's last request; null without one. */
  share_request_status: ShareRequest['status'] | null;
}

async function findAll(
  { table, caller, ports }: CallerContext<KnowsHidden>,
  refs: InteractionRef[],
): Promise<{ ref: InteractionRef; found: Interaction }[]> {
  const byType = [...Map.groupBy(refs, ({ type }) => type)];
  const all = byType.map(async ([type, group]) => {
    const ids = [...new Set(group.map(({ id }) => id))];
    const found = await ports.hidden.kinds[type].find(table, caller.account.id, ids);
    return [...new Map([...found.values()].map((each) => [each.id, each])).values()].map((each) => ({
      ref: { type, id: each.id },
      found: each,
    }));
  });
  return (await Promise.all(all)).flat();
}

/** Those of the threads and events that the caller does not see and may know of, in two round trips and one for users. */
export async function hiddenAmong(
  ctx: CallerContext<KnowsHidden>,
  refs: InteractionRef[],
): Promise<HiddenInteraction[]> {
  const { table, caller, ports } = ctx;
  const hidden = (await findAll(ctx, refs)).filter(({ found }) => !found.isSeenBy(caller.user));
  const mailbox_ids = [...new Set(hidden.flatMap(({ found }) => found.mailbox_ids))];
  const [givers, asked] = await Promise.all([
    ports.hidden.givers(table, caller.account.id, mailbox_ids),
    table.getMany<Asked>(hidden.map(({ ref }) => keys.askedFor(caller.user.id, ref.type, ref.id))),
  ]);
  const statuses = new Map(asked.map(({ SK, status }) => [SK, status]));
  return hidden.flatMap(({ ref, found }) => {
    const owner_user_ids = approversOf(found, givers);
    if (owner_user_ids.length === 0) return [];
    const share_request_status = statuses.get(keys.askedFor(caller.user.id, ref.type, ref.id).SK) ?? null;
    const interaction = { interaction_type: singular(ref.type), interaction_id: ref.id };
    return [{ ...interaction, owner_user_ids, share_request_status }];
  });
}
