import { billingJob, leftToSweep } from '#shared/domain/identity/billing/job.ts';
import { allAccounts } from '../all-accounts.ts';
import { command } from './command.ts';

/** Transactions of this size take a job each. */
const AT_ONCE = 100;

export const billAccounts = command({
  summary: 'Lets accounts pay that were made before billing was switched on. Reads the whole table.',
  options: {},
  async run(_, table, now) {
    const all = await allAccounts(table);
    const unpaid = all.filter(({ status, billing_reference }) => status === 'active' && !billing_reference);
    const writes = unpaid.map((account) => leftToSweep(billingJob(account, now), now));
    for (let i = 0; i < writes.length; i += AT_ONCE) await table.transact(writes.slice(i, i + AT_ONCE));
    const count = unpaid.length === 1 ? '1 account' : `${unpaid.length} accounts`;
    return {
      json: { account_ids: unpaid.map(({ id }) => id) },
      ...(unpaid.length > 0 ? { result: unpaid.map(({ id, name }) => `${id}  ${name}`).join('\n') } : {}),
      told: [
        `Billing is opened for ${count} within minutes; where the service bills nobody, nothing happens.`,
      ],
    };
  },
});
