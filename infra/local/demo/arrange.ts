import type { DemoUserKey } from './people.ts';
import type { DemoRecords } from './records.ts';
import type { Ids, Workspace } from './workspace.ts';

/** Who works with whom, by which tags, and what the assistant may do by itself. */

async function createGroups(workspace: Workspace, { groups }: DemoRecords): Promise<Ids> {
  const ids = new Map<string, string>();
  for (const { created_by, members, ...group } of groups) {
    const user_ids = members.map((key) => workspace.user(key).id);
    const { body } = await workspace.api(created_by).createGroup({ body: { group: { ...group, user_ids } } });
    ids.set(group.name, body.group.id);
  }
  return ids;
}

/** The owner of the account makes the tags. */
async function createTags(workspace: Workspace, { tags }: DemoRecords): Promise<Ids> {
  const ids = new Map<string, string>();
  for (const tag of tags) {
    const { body } = await workspace.api(workspace.owner).createTag({ body: { tag } });
    ids.set(tag.name, body.tag.id);
  }
  return ids;
}

async function turnOnAgents(workspace: Workspace, { agents }: DemoRecords): Promise<void> {
  for (const { by, agent_slug, mode, instructions } of agents) {
    const agent_configuration = { enabled: true, mode, instructions };
    await workspace
      .api(by)
      .updateAgentConfiguration({ params: { agent_slug }, body: { agent_configuration } });
  }
}

/** Before mail arrives, so that it reaches all readers of a mailbox, and the agents. */
export async function arrange(
  workspace: Workspace,
  records: DemoRecords,
): Promise<{ groups: Ids; tags: Ids }> {
  const [groups, tags] = [await createGroups(workspace, records), await createTags(workspace, records)];
  await turnOnAgents(workspace, records);
  await share(workspace, records, groups, 'mailboxes');
  return { groups, tags };
}

async function recordOf(workspace: Workspace, by: DemoUserKey, thread_subject: string | undefined) {
  return thread_subject === undefined
    ? { record_type: 'mailboxes' as const, record_id: workspace.user(by).mailbox_id as string }
    : { record_type: 'threads' as const, record_id: await workspace.thread(by, thread_subject) };
}

/** Threads are shared after they have arrived. */
export async function share(
  workspace: Workspace,
  { shares }: DemoRecords,
  groups: Ids,
  what: 'threads' | 'mailboxes',
): Promise<void> {
  for (const { by, thread_subject, with: whom, access } of shares) {
    if ((thread_subject === undefined) !== (what === 'mailboxes')) continue;
    const target =
      'user' in whom
        ? { user_id: workspace.user(whom.user).id }
        : { group_id: groups.get(whom.group) as string };
    await workspace.api(by).createShare({
      params: await recordOf(workspace, by, thread_subject),
      body: { share: { ...target, access } },
    });
  }
}
