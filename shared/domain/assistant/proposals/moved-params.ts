import { survivorOf } from '#shared/domain/collaboration/records/survivor.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { holderOf } from '#shared/domain/identity/users/holder.ts';
import type { Table } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';
import { recordOf } from './store.ts';

type Params = Record<string, unknown>;

/** Parameters of actions that name contacts besides `record_id`. A merged thread is found as the one it is part of. */
interface NamesContacts {
  contact_id_to_merge?: string;
  contact_ids?: string[];
  contacts?: { id: string }[];
}

async function movedContacts(table: Table, sent: NamesContacts): Promise<NamesContacts> {
  const moved = async (id: string) => (await survivorOf(table, { type: 'contacts', id })).id;
  const { contact_id_to_merge, contact_ids, contacts } = sent;
  return {
    ...(contact_id_to_merge ? { contact_id_to_merge: await moved(contact_id_to_merge) } : {}),
    ...(contact_ids ? { contact_ids: await Promise.all(contact_ids.map(moved)) } : {}),
    ...(contacts
      ? { contacts: await Promise.all(contacts.map(async (each) => ({ ...each, id: await moved(each.id) }))) }
      : {}),
  };
}

/** Who took over from an assignee who has left since. */
async function movedAssignee(ctx: CallerContext, { assigned_user_id }: { assigned_user_id?: string | null }) {
  return assigned_user_id ? { assigned_user_id: await holderOf(ctx, assigned_user_id) } : {};
}

/**
 * The parameters with what merged records are part of by now, and with who took over from users who left; a contact does
 * not become part of itself.
 */
export async function movedParams(ctx: CallerContext, proposal: Proposal, params: Params): Promise<Params> {
  const { table } = ctx;
  const record = recordOf(proposal);
  const moved: Params = {
    ...params,
    ...(record ? { record_id: (await survivorOf(table, record)).id } : {}),
    ...(await movedContacts(table, params)),
    ...(await movedAssignee(ctx, params)),
  };
  return moved.record_id !== undefined && moved.record_id === moved.contact_id_to_merge ? params : moved;
}
