import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealDraft } from '#shared/domain/crm/deals/deal.ts';
import { dealOf, givenDeal } from '../../../support/deals.ts';
import { failureOf, problemsOf } from '../../../support/failures.ts';
import { importFile } from '../../../support/imports.ts';
import { reduced } from '../../../support/long.ts';
import { accept, givenProposal } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Amounts come back as they were sent, or are refused: a JSON number keeps 15 significant digits. */

const exact = [
  '0',
  '0.0001',
  '0.1',
  '12500.25',
  '90071992547.4099',
  '99999999999.9999',
  '999999999999.999',
  '99999999999999.9',
  '123456789012345',
  '999999999999999',
  '1000000000000000',
];

const tooLong = [
  '999999999999999.1234',
  '999999999999999.1',
  '99999999999999.99',
  '123456789012.3456',
  '900719925474.0993',
];

/** Up to 15 digits, of which up to four are decimals, as a client writes them. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 15 }), fc.nat({ max: 4 }))
  .map(([digits, shorter, decimals]) => {
    const text = String(digits / 10n ** BigInt(shorter)).padStart(decimals + 1, '0');
    return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  });

/** Without the zeros that change no value. */
const shortest = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

describe('the amount of a deal', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
  });
  afterAll(() => workspace.stop());

  const update = async (id: string, fields: object) =>
    (await ada.api.updateDeal({ params: { id }, body: { deal: fields } })).body.deal;
  /** As it is stored, then read. */
  const kept = async (text: string) => {
    const { id } = await givenDeal(ada, { amount: Number(text) });
    return String((await dealOf(ada, id)).amount);
  };
  const asCall = (made: Promise<unknown>) => made.then(() => ({ status: 201 }));

  it.each(exact)('%s comes back', async (text) => {
    expect(await kept(text)).toBe(text);
  });

  it('of 15 digits is accepted, and means what was written', () => {
    fc.assert(
      fc.property(amount, (text) => {
        const sent = JSON.parse(`{ "name": "Ferries", "amount": ${text} }`);
        expect(String(dealDraft.parse(sent).amount)).toBe(shortest(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('of 15 digits comes back through every store', async () => {
    const { id } = await givenDeal(ada);
    await fc.assert(
      fc.asyncProperty(amount, async (text) => {
        await update(id, { amount: Number(text) });
        expect(String((await dealOf(ada, id)).amount)).toBe(shortest(text));
      }),
      { numRuns: reduced(80) },
    );
  });

  it.each(tooLong)('400: %s', async (text) => {
    const sent = { amount: Number(text) };
    const problem = {
      amount: { code: 'invalid', message: 'must have at most 15 significant digits: a number keeps no more' },
    };
    expect((await failureOf(asCall(givenDeal(ada, sent)))).fields).toEqual(problem);
    const { id } = await givenDeal(ada, { amount: 1 });
    expect((await failureOf(asCall(update(id, sent)))).fields).toEqual(problem);
    expect((await dealOf(ada, id)).amount).toBe(1);
  });

  it('400: in a proposal, in what accepting one changes, and in a row of a file', async () => {
    const bad = { amount: 999_999_999_999_999.1 };
    const propose = (fields: object) =>
      givenProposal(workspace, ada, { action_type: 'deal.create', params: { name: 'Ferries', ...fields } });
    expect(await problemsOf(asCall(propose(bad)))).toEqual({ 'params.amount': 'invalid' });
    const { id } = await propose({ amount: 1 });
    expect(await problemsOf(asCall(accept(ada, id, bad)))).toEqual({ 'changes.amount': 'invalid' });
    const bytes = 'name;amount\nFits;999999999999999\nToo long;999999999999999.1234\n';
    const { rows } = await importFile(workspace, ada, { bytes }, { record_type: 'deals' });
    expect(rows.map(({ status, error }) => [status, Object.keys(error?.fields ?? {})])).toEqual([
      ['created', []],
      ['failed', ['amount']],
    ]);
  });
});
