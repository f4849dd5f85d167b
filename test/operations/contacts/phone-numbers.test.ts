import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../../support/failures.ts';
import { measureTable, splitCost } from '../../support/meter.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenTeam } from '../../support/pipelines.ts';
import { givenContact } from '../../support/proposals.ts';
import { bearer, raw } from '../../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Phone numbers are stored as they were written, and compared as E.164 (docs/specification/records.md, "Phone numbers"). */

const STORED = {
  written: '+44 20 7946 0123',
  bare: '+442079460123',
  zeros: '0044 20 7946-0123',
  trunk: '+44 (0)20 7946.0123',
  extension: '+44 20 7946 0123 x12',
  national: '020 7946 0123',
  moscow: '+7 495 123-45-67',
  rome: '+39 06 698 12345',
  short: '1234',
};
const LONDON = ['bare', 'extension', 'trunk', 'written', 'zeros'];

describe('phone numbers of contacts and organizations', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ owner, member } = await givenTeam(workspace));
    for (const [name, phone_number] of Object.entries(STORED)) {
      const phone_numbers = [{ phone_number }];
      await givenContact(owner, { name, phone_numbers });
      await givenOrganization(owner, { name, phone_numbers });
    }
    const phone_numbers = [{ phone_number: STORED.bare }];
    await givenContact(owner, { name: 'hidden', visibility: 'private', phone_numbers });
    await givenContact(owner, { name: '020 7946 0123 Taxi' });
  });
  afterAll(() => workspace.stop());

  const contacts = async (query: object, user = member) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ name }) => name);
  const organizations = async (query: object) =>
    (await member.reader.listOrganizations({ query })).body.collection.records.map(({ name }) => name);

  it('are stored as they were written', async () => {
    const { records } = (await member.reader.listContacts()).body.collection;
    const numbers = records.flatMap(({ name, phone_numbers }) =>
      phone_numbers.map(({ phone_number }) => [name, phone_number]),
    );
    expect(Object.fromEntries(numbers)).toEqual(STORED);
  });

  it.each<[string, string, string[]]>([
    ['E.164', '+442079460123', LONDON],
    ['written with spaces', '+44 20 7946 0123', LONDON],
    ['written with 00', '0044 20 7946 0123', LONDON],
    ['with the zero of the country', '+44 (0)20 79460123', LONDON],
    ['as it is dialled in its country', '020 7946 0123', [...LONDON, 'national']],
    ['with another prefix', '8 495 123 45 67', ['moscow']],
    ['a zero that is part of the number', '+39 0669812345', ['rome']],
    ['of no country', '1234', ['short']],
    ['the zero of another country', '+39 669812345', []],
    ['the beginning of a number', '+44 20 7946', []],
    ['the end of a number', '7946 0123', []],
    ['several', '+7 495 1234567,+39 0669812345', ['moscow', 'rome']],
  ])('phone_number=%s', async (_, phone_number, found) => {
    const expected = found.toSorted();
    for (const sort of ['name', 'updated_at'] as const)
      expect((await contacts({ phone_number, sort })).toSorted()).toEqual(expected);
    expect(await organizations({ phone_number })).toEqual(expected);
    const { count } = (await member.reader.countContacts({ query: { phone_number } })).body;
    expect(count).toMatchObject({ total: found.length, exact: true });
    expect(await contacts({ phone_number, query: 'zzz' })).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['+442079460123', [...LONDON, 'national']],
    ['+44 20 7946 0123', [...LONDON, 'national']],
    ['(020) 7946-0123', [...LONDON, 'national', '020 7946 0123 Taxi']],
    ['02079460123', [...LONDON, 'national']],
    ['79460123', [...LONDON, 'national']],
    ['+44 2079', LONDON],
    ['84951234567', ['moscow']],
    ['8 495 123', ['moscow']],
    ['zeros 0123', ['zeros']],
    ['1234', ['rome', 'short']],
  ])('query=%s finds every way to write it', async (query, found) => {
    expect((await contacts({ query })).toSorted()).toEqual(found.toSorted());
  });

  it('a plus that is not encoded is one all the same', async () => {
    for (const sent of ['+44 20 7946 0123'.replaceAll(' ', '%20'), '%2B442079460123', '+442079460123']) {
      const { json } = await raw(workspace.url, {
        path: `/contacts/count?phone_number=${sent}`,
        headers: [bearer(member.read_key)],
      });
      expect([sent, json]).toEqual([sent, { count: expect.objectContaining({ total: LONDON.length }) }]);
    }
  });

  it('400 for what is no phone number', async () => {
    for (const phone_number of ['ada', '+44 20,,', 'x'.repeat(65)])
      expect(Object.keys(await problemsOf(member.reader.listContacts({ query: { phone_number } })))).toEqual([
        'phone_number',
      ]);
  });

  it('three round trips', async () => {
    const query = { phone_number: '+442079460123' };
    const cost = await measureTable(workspace.table, () => contacts(query));
    expect(splitCost(cost, 'read').operation.depth).toBeLessThanOrEqual(3);
  });

  it('follow their record', async () => {
    const one = { phone_number: '+33 1 23 45 67 89' };
    const { id } = await givenContact(owner, { name: 'Paris', phone_numbers: [one] });
    expect(await contacts({ phone_number: '01.23.45.67.89' })).toEqual(['Paris']);
    const contact = { phone_numbers: [{ phone_number: '+33 1 23 45 67 80' }] };
    await owner.api.updateContact({ params: { id }, body: { contact } });
    expect(await contacts(one)).toEqual([]);
    expect(await contacts({ phone_number: '0033123456780' })).toEqual(['Paris']);
    await owner.api.deleteContact({ params: { id } });
    expect(await contacts({ phone_number: '0033123456780' })).toEqual([]);
  });

  it('are one of two contacts that are merged, unless their extensions differ', async () => {
    const numbers = (...all: string[]) => all.map((phone_number) => ({ phone_number }));
    const into = await givenContact(owner, {
      phone_numbers: numbers('+44 (0)20 7946 0199', '+44 20 7946 0198 x1'),
    });
    const gone = await givenContact(owner, {
      phone_numbers: numbers('0044 2079460199', '+44 20 7946 0198 x2', '020 7946 0199'),
    });
    const { contact } = (
      await owner.api.mergeContacts({
        params: { contact_id: into.id },
        body: { contact_id_to_merge: gone.id },
      })
    ).body;
    expect(contact.phone_numbers.map(({ phone_number }) => phone_number)).toEqual([
      '+44 (0)20 7946 0199',
      '+44 20 7946 0198 x1',
      '+44 20 7946 0198 x2',
      '020 7946 0199',
    ]);
  });
});
