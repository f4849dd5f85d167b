import { addPeople } from './address-book.ts';
import type { DemoRecords, DemoShare } from './records.ts';
import type { Ids, Workspace } from './workspace.ts';

/** Who works with whom, by which tags and stages, and what the assistant may do by itself. */

async function createGroups(workspace: Workspace, { groups }: DemoRecords): Promise<Ids> {
  const created = groups.map(async ({ created_by, members, ...group }) => {
    const user_ids = members.map((key) => workspace.user(key).id);
    const { body } = await workspace.api(created_by).createGroup({ body: { group: { ...group, user_ids } } });
    return [group.name, body.group.id] as const;
  });
  return new Map(await Promise.all(created));
}

/** The owner of the account makes the tags. */
async function createTags(workspace: Workspace, { tags }: DemoRecords): Promise<Ids> {
  const created = tags.map(async (tag) => {
    const { body } = await workspace.api(workspace.owner).createTag({ body: { tag } });
    return [tag.name, body.tag.id] as const;
  });
  return new Map(await Promise.all(created));
}

/** The owner of the account makes them the first pipelines. */
async function createPipelines(workspace: Workspace, { pipelines }: DemoRecords): Promise<void> {
  for (const [position, { stages, ...pipeline }] of pipelines.entries())
    await workspace.api(workspace.owner).createPipeline({
      body: { pipeline: { ...pipeline, stages: [...stages], position, default: position === 0 } },
    });
}

/** Before the records that have them. */
async function defineFields(workspace: Workspace, { custom_fields }: DemoRecords): Promise<void> {
  for (const { options = [], ...custom_field } of custom_fields)
    await workspace.api(workspace.owner).createCustomField({
      body: { custom_field: { ...custom_field, options: [...options] } },
    });
}

async function turnOnAgents(workspace: Workspace, { agents }: DemoRecords): Promise<void> {
  const turnedOn = agents.map(({ by, agent_slug, mode, instructions }) => {
    const agent_configuration = { enabled: true, mode, instructions };
    return workspace
      .api(by)
      .updateAgentConfiguration({ params: { agent_slug }, body: { agent_configuration } });
  });
  await Promise.all(turnedOn);
}

/** Before mail arrives, so that it reaches all readers of a mailbox, and the agents. */
export async function arrange(
  workspace: Workspace,
  records: DemoRecords,
): Promise<{ groups: Ids; tags: Ids }> {
  const [groups, tags] = await Promise.all([
    createGroups(workspace, records),
    createTags(workspace, records),
    createPipelines(workspace, records),
    defineFields(workspace, records),
    turnOnAgents(workspace, records),
    addPeople(workspace, records),
  ]);
  await share(workspace, records, groups, 'mailboxes');
  return { groups, tags };
}

async function recordOf(
  workspace: Workspace,
  { by, thread_subject, contact_name, organization_name }: DemoShare,
) {
  if (thread_subject !== undefined) return workspace.record(by, { thread_subject });
  if (contact_name !== undefined) return workspace.record(by, { contact_name });
  if (organization_name !== undefined) return workspace.record(by, { organization_name });
  return { record_type: 'mailboxes' as const, record_id: workspace.user(by).mailbox_id as string };
}

/** Threads are shared after they have arrived, contacts after they were created. */
export async function share(
  workspace: Workspace,
  { shares }: DemoRecords,
  groups: Ids,
  what: 'mailboxes' | 'records',
): Promise<void> {
  const isMailbox = ({ thread_subject, contact_name, organization_name }: DemoShare) =>
    !(thread_subject ?? contact_name ?? organization_name);
  const chosen = shares.filter((each) => isMailbox(each) === (what === 'mailboxes'));
  const shared = chosen.map(async (each) => {
    const { by, with: whom, access } = each;
    const target =
      'user' in whom
        ? { user_id: workspace.user(whom.user).id }
        : { group_id: groups.get(whom.group) as string };
    await workspace.api(by).createShare({
      params: await recordOf(workspace, each),
      body: { share: { ...target, access } },
    });
  });
  await Promise.all(shared);
}
