import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareable } from '#shared/composition/sharing.ts';
import { givenAccount } from '../support/accounts.ts';
import { codeOf } from '../support/failures.ts';
import { givenFile } from '../support/files.ts';
import { givenGroup } from '../support/groups.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Rights to edit add up (docs/specification/records.md, "Visibility"), in every family of records that are shared. */

const families = {
  contacts: ['Contact', 'contact'],
  deals: ['Deal', 'deal'],
  files: ['File', 'file'],
  milestones: ['Milestone', 'milestone'],
  organizations: ['Organization', 'organization'],
  spaces: ['Space', 'space'],
  tasks: ['Task', 'task'],
} as const;

/** Fields that some of them need besides a name. */
const needed = { spaces: { kind: 'records' } } as Partial<Record<Family, object>>;

type Family = keyof typeof families;

describe('rights to edit', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  async function create(user: TestUser, family: Family, visibility: 'account' | 'private'): Promise<string> {
    // Without an upload.
    if (family === 'files') return (await givenFile(workspace, user, { visibility })).id;
    const [name, wrapper] = families[family];
    const { body } = await user.api[`create${name}`]({
      body: { [wrapper]: { name: 'Shared', visibility, ...needed[family] } },
    } as never);
    return (body as unknown as Record<string, { id: string }>)[wrapper]?.id as string;
  }
  const update = ({ api }: TestUser, family: Family, id: string) => {
    const [name, wrapper] = families[family];
    return api[`update${name}`]({ params: { id }, body: { [wrapper]: { name: 'Changed' } } } as never);
  };
  const share = (by: TestUser, record_type: Family, record_id: string, draft: object) =>
    by.api.createShare({ params: { record_type, record_id }, body: { share: draft as never } });
  const all = Object.keys(families) as Family[];

  it('are tried for all types with a visibility that can be shared', () => {
    // Threads, events and mailboxes are shared through mailboxes.
    const apart = ['threads', 'calendar_events', 'mailboxes'];
    expect(all).toEqual(shareable.filter((type) => !apart.includes(type)).sort());
  });

  it.each(all)('%s: a share to view takes nothing away from who may edit', async (family) => {
    const id = await create(owner, family, 'account');
    await share(owner, family, id, { user_id: member.user.id, access: 'view' });
    expect((await update(member, family, id)).status).toBe(200);
  });

  it.each(all)('%s: of two shares with a user, the wider counts', async (family) => {
    const id = await create(owner, family, 'private');
    await share(owner, family, id, { user_id: member.user.id, access: 'view' });
    expect(await codeOf(update(member, family, id))).toBe('403 permission_denied');
    const group = await givenGroup(owner, [member]);
    await share(owner, family, id, { group_id: group.id, access: 'edit' });
    expect((await update(member, family, id)).status).toBe(200);
  });

  it.each(all)('%s: an admin with a share to view edits', async (family) => {
    const id = await create(member, family, 'private');
    expect(await codeOf(update(owner, family, id))).toBe('404 record_not_found');
    await share(member, family, id, { user_id: owner.user.id, access: 'view' });
    expect((await update(owner, family, id)).status).toBe(200);
  });
});
