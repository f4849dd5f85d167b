import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { bestOfFive } from '../../support/meter.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { givenSpace, join } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Authentication is two; then three for a first page of contacts with employers, whatever the filter. */
const MOST = 2 + 3;

/** Those who are in mail, and those who are not. */
const MET = 4;
const OTHERS = 3;

describe('a first page of contacts that have employers', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let space: string;
  let organization_id: string;
  let tags: string;

  const address = (i: number) => `p${i}@trips.example`;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada } = workspace);
    // Requests are counted at another time: what is recent is so then.
    workspace.setTime(new Date('2059-12-31T10:00:00Z'));
    ({ id: organization_id } = await givenOrganization(ada, { name: 'Employer' }));
    tags = (await ada.api.createTag({ body: { tag: { name: 'vip' } } })).body.tag.id;
    for (let i = 0; i < MET + OTHERS; i++) {
      const email_addresses = [address(i), `also-${address(i)}`].map((email_address) => ({ email_address }));
      const { id } = await givenContact(ada, { name: `P${i}`, email_addresses });
      // Employers that came later are known too.
      const employments = [{ organization: { id: organization_id } }];
      await ada.api.updateContact({ params: { id }, body: { contact: { employments } } });
      await ada.api.applyTag({
        params: { record_type: 'contacts', record_id: id },
        body: { tag_id: tags },
      });
    }
    const mailbox = await givenMailbox(workspace, ada);
    const mails = Array.from({ length: MET }, (_, i) =>
      eml({ id: `t${i}@x`, from: address(i), date: `3${i % 2} Dec 2059 10:00:0${i} +0000` }),
    );
    await importMail(workspace, ada, mailbox, mails);
    // Spaces of contacts are read as late as employers: they are in another account.
    const { hank } = workspace;
    const organization = await givenOrganization(hank, { name: 'Employer' });
    const { id } = await givenContact(hank, { employments: [{ organization: { id: organization.id } }] });
    ({ id: space } = await givenSpace(hank));
    await join(hank, space, { contact_id: id });
    workspace.setTime(undefined);
  });
  afterAll(() => workspace.stop());

  const expectTrips = async (query: object, most: number, user = ada) => {
    let names: (string | undefined)[] = [];
    const { depth } = await countRequestTrips(workspace, user, async () => {
      const { records } = (await user.reader.listContacts({ query: query as never })).body.collection;
      names = records.flatMap(({ employments }) => employments.map((each) => each.organization?.name));
    });
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names)).toEqual(new Set(['Employer']));
    expect(depth).toBeLessThanOrEqual(most);
  };

  const filters: [string, () => object][] = [
    ['no filter', () => ({})],
    ['slice=mine', () => ({ slice: 'mine' })],
    ['slice=recent', () => ({ slice: 'recent', sort: 'name' })],
    ['tags', () => ({ tags })],
    ['organization_id', () => ({ organization_id })],
    ['email_address', () => ({ email_address: address(1) })],
    ['query', () => ({ query: 'p1' })],
    ['updated_after', () => ({ updated_after: '2059-01-01T00:00:00Z' })],
    ['sort=last_interaction_at', () => ({ sort: 'last_interaction_at' })],
    ['sort=last_interaction_at, tags', () => ({ sort: 'last_interaction_at', tags })],
  ];

  it.each(filters)('takes three round trips: %s', bestOfFive, async (_, query) => {
    await expectTrips(query(), MOST);
  });

  it('takes three round trips: space_id', bestOfFive, async () => {
    await expectTrips({ space_id: space }, MOST, workspace.hank);
  });

  it('takes one more in ascending order, for further addresses', bestOfFive, async () => {
    await expectTrips({ sort: 'last_interaction_at', order: 'asc' }, MOST + 1);
  });

  it('takes nothing for granted that is not so', async () => {
    const other = await givenOrganization(workspace.hank, { name: 'Theirs' });
    for (const query of [{ organization_id: other.id }, { tags: other.id }, { space_id: space }])
      await expect(ada.reader.listContacts({ query })).rejects.toMatchObject({ status: 404 });
    const kind = { kind: 'tags' as const, tag_ids: [tags] };
    const { id: space_id } = await givenSpace(ada, kind);
    const { records } = (await ada.reader.listContacts({ query: { space_id } })).body.collection;
    expect(records).toHaveLength(MET + OTHERS);
  });
});
