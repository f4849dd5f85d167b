import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { bringAll, bringing, givenField, keepers } from '../../support/custom-fields.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /custom_fields/{id}', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const remove = ({ api }: TestUser, id: string) => api.deleteCustomField({ params: { id } });

  it('204: values stay, are not checked any more, and the key is free', async () => {
    const { id } = await givenField(owner, 'size', { type: 'number', required: true, unique: true });
    await bringAll(workspace, owner);
    const record = await keepers.contacts.create(owner, { custom_fields: { size: 7 } });
    expect((await remove(owner, id)).status).toBe(204);
    expect(await codeOf(owner.reader.retrieveCustomField({ params: { id } }))).toBe('404 record_not_found');
    expect(await codeOf(remove(owner, id))).toBe('404 record_not_found');
    const { contact } = (await owner.reader.retrieveContact({ params: { id: record.id } })).body;
    expect(contact.custom_fields).toEqual({ size: 7 });
    await keepers.contacts.create(owner, { custom_fields: { size: 7 } });
    await keepers.contacts.update(owner, record.id, { custom_fields: { size: 'large' } });
    expect((await givenField(owner, 'size')).type).toBe('text');
  });

  it('403 for members, 404 for another account', async () => {
    const { id } = await givenField(owner, 'stays');
    expect(await codeOf(remove(member, id))).toBe('403 permission_denied');
    expect(await codeOf(remove(workspace.hank, id))).toBe('404 record_not_found');
  });

  longIt('a job removes its lists; one that is defined again finds what there is', async () => {
    const { id } = await givenField(owner, 'color', { indexed: true });
    await bringAll(workspace, owner);
    const record = await keepers.contacts.create(owner, { custom_fields: { color: 'red' } });
    const entry = async () => {
      const item = await workspace.table.get(keys.listEntry('contacts', record.id, owner.user.account_id));
      return JSON.stringify(item);
    };
    expect(await entry()).toContain(`field:${id}`);
    await remove(owner, id);
    expect(await bringing(workspace, owner.user.account_id)).toHaveLength(1);
    await bringAll(workspace, owner);
    expect(await entry()).not.toContain(`field:${id}`);
    await givenField(owner, 'color', { indexed: true });
    await bringAll(workspace, owner);
    const { records } = await keepers.contacts.list(owner, { custom_fields: { color: 'red' } });
    expect(records.map((each) => each.id)).toEqual([record.id]);
  });
});
