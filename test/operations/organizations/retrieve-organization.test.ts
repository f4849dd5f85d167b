import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal } from '../../support/deals.ts';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { firstPipelineOf } from '../../support/pipelines.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /organizations/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const read = (user: TestUser, id: string) => user.reader.retrieveOrganization({ params: { id } });

  it('200: an organization of the account, for each of its users', async () => {
    const organization = await givenOrganization(grace);
    const { status, body } = await read(ada, organization.id.toUpperCase());
    expect(status).toBe(200);
    expect(body.organization).toEqual(organization);
  });

  it('200: with its comments and tags', async () => {
    const { id } = await givenOrganization(grace);
    const params = { record_type: 'organizations' as const, record_id: id };
    await ada.api.createComment({ params, body: { comment: { html_content: '<p>Pays late.</p>' } } });
    await ada.api.applyTag({ params, body: { tag: { name: 'Customers' } } });
    expect((await read(grace, id)).body.organization).toMatchObject({
      comments: [{ organization_id: id, user_id: ada.user.id }],
      tags: [{ name: 'Customers' }],
    });
  });

  longIt('200: with its tasks and the number of its open deals, as the user sees them', async () => {
    const { id } = await givenOrganization(grace);
    const about = { organization_ids: [id] };
    const { task } = (await grace.api.createTask({ body: { task: { name: 'Call them', ...about } } })).body;
    await grace.api.createTask({ body: { task: { name: 'Secret', visibility: 'private', ...about } } });
    const { stages } = await firstPipelineOf(grace);
    await givenDeal(grace, { organization_id: id });
    await givenDeal(grace, { organization_id: id, visibility: 'private' });
    await givenDeal(grace, { organization_id: id, stage_id: stages[4]?.id as string });
    expect((await read(ada, id)).body.organization).toMatchObject({ tasks: [task], open_deal_count: 1 });
    const own = (await read(grace, id)).body.organization;
    expect([own.tasks?.length, own.open_deal_count]).toEqual([2, 2]);
    const { records } = (await ada.reader.listOrganizations({ query: { query: own.name } })).body.collection;
    expect(records.find((each) => each.id === id)).toMatchObject({ tasks: null, open_deal_count: null });
  });

  longIt(
    '200: with the last interaction with its people, as far as the user sees mail, meetings and people',
    async () => {
      const { id } = await givenOrganization(grace);
      const employ = (user: TestUser, addresses: string[], visibility: 'account' | 'private' = 'account') =>
        givenContact(user, {
          ...{ name: 'Tom', visibility, employments: [{ organization: { id } }] },
          email_addresses: addresses.map((email_address) => ({ email_address })),
        });
      const last = async (user: TestUser) => (await read(user, id)).body.organization.last_interaction_at;
      expect(await last(ada)).toBeNull();
      await employ(ada, ['tom@last.example', 'thomas@last.example']);
      await employ(grace, ['hidden@last.example'], 'private');
      expect(await last(ada)).toBeNull();
      const mailbox = await givenMailbox(workspace, ada);
      const mail = (from: string, day: number) =>
        eml({ id: `${from}-${day}`, from, date: `Thu, 0${day} Oct 2026 10:00:00 +0000` });
      await importMail(workspace, ada, mailbox, [
        mail('thomas@last.example', 1),
        mail('hidden@last.example', 8),
      ]);
      expect([await last(ada), await last(grace)]).toEqual(['2026-10-01T10:00:00.000Z', null]);
      const { calendar_id } = await givenCalendar(workspace, ada);
      const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
      for (const days of [-1, 1]) {
        const times = { starts_at: day(days), ends_at: day(days + 0.01), time_zone: 'UTC' };
        await givenEvent(ada, calendar_id, { ...times, attendees: [{ email_address: 'tom@last.example' }] });
      }
      expect(Math.round((Date.parse((await last(ada)) as string) - Date.now()) / 86_400_000)).toBe(-1);
      expect(await last(grace)).toBeNull();
      for (const name of ['a', 'b', 'c'])
        await employ(
          ada,
          Array.from({ length: 70 }, (_, i) => `${name}${i}@last.example`),
        );
      expect(await last(ada)).toBeNull();
    },
  );

  it('200: a private organization for its owner; 404 for everyone else until it is shared', async () => {
    const { id, name } = await givenOrganization(grace, { visibility: 'private' });
    expect((await read(grace, id)).status).toBe(200);
    expect(await codeOf(read(ada, id))).toBe('404 record_not_found');
    const params = { record_type: 'organizations' as const, record_id: id };
    await grace.api.createShare({ params, body: { share: { user_id: ada.user.id } } });
    expect((await read(ada, id)).body.organization.shares).toMatchObject([{ user_id: ada.user.id }]);
    const { records } = (await ada.reader.listNotifications()).body.collection;
    expect(records[0]).toMatchObject({ event: 'organization_shared', payload: { name } });
  });

  it('404: another account, another type, and an unknown id', async () => {
    const { id } = await givenOrganization(grace);
    const contact = (await grace.api.createContact({ body: { contact: { name: 'X' } } })).body.contact;
    expect(await codeOf(read(workspace.hank, id))).toBe('404 record_not_found');
    for (const other of [contact.id, randomUUID()])
      expect(await codeOf(read(grace, other))).toBe('404 record_not_found');
  });
});
