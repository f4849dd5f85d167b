import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyOf } from '#shared/table/keys.ts';
import { indexTexts } from '../../infra/migrations/0009-index-texts.ts';
import { crashAfter } from '../support/faults.ts';
import { STRIDE } from '../support/long.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { scan } from '../support/scan.ts';
import { withdrawMail } from '../support/withdrawn.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
});
afterAll(() => workspace?.stop());

const filler = 'Line of the timetable. '.repeat(60);
const mail = (id: string, text: string) => eml({ id: `${id}@x`, subject: id, text: `${filler}${text}` });

/** A step whose end was not recorded runs again. */
async function migrate(): Promise<void> {
  let cursor: unknown;
  for (let step = 0; step === 0 || cursor !== undefined; step++) {
    await indexTexts.step(workspace.table, cursor);
    cursor = await indexTexts.step(workspace.table, cursor);
  }
}

it('mail from before is found by its whole text, wherever it was cut off', { timeout: 120_000 }, async () => {
  const { ada, grace, table } = workspace;
  const [own, other] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
  const numbers = Array.from({ length: 20_000 }, (_, i) => ((i * 2_654_435_761) % 2 ** 32).toString(36)).join(
    ' ',
  );
  await importMail(workspace, ada, own, [
    mail('one', 'Tamarind'),
    mail('two', 'Tamarind'),
    mail('left', 'Tamarind'),
  ]);
  await importMail(workspace, ada, own, [
    eml({ id: 'huge@x', subject: 'huge', text: `Sapodilla ${numbers}` }),
  ]);
  await importMail(workspace, grace, other, [mail('two', 'Tamarind')]);
  await withdrawMail(workspace, own, 'left@x');
  const texts = async () => (await scan(table)).filter(({ PK }) => PK.startsWith('TEXTS#'));
  const found = async ({ reader }: typeof ada, query: string) =>
    (await reader.searchRecords({ query: { query, types: 'thread' } })).body.search.results
      .map(({ label }) => label)
      .sort();
  for (let call = 1, cut = true; cut; call += Math.max(3, STRIDE)) {
    await table.writeMany((await texts()).map((item) => ({ delete: keyOf(item) })));
    expect(await found(ada, 'tamarind')).toEqual([]);
    const crash = crashAfter(table, call);
    await migrate().catch(() => undefined);
    cut = crash.hit;
    crash.remove();
    await migrate();
    expect([call, await found(ada, 'tamarind'), await found(grace, 'tamarind')]).toEqual([
      call,
      ['one', 'two'],
      ['two'],
    ]);
    expect(await found(ada, 'sapodilla')).toEqual(['huge']);
  }
});
