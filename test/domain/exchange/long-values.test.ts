import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCard } from '#shared/domain/exchange/records/card.ts';
import { Cells } from '#shared/domain/exchange/records/cells.ts';
import { contactFamily } from '#shared/domain/exchange/records/contacts.ts';
import { textsIn } from '#shared/domain/exchange/records/event-texts.ts';
import { inOneLine } from '#shared/domain/exchange/records/one-line.ts';
import { organizationFamily } from '#shared/domain/exchange/records/organizations.ts';
import { readVEvent } from '#shared/domain/exchange/records/vevent.ts';
import {
  currencyIn,
  readClock,
  readDay,
  readNumber,
} from '#shared/domain/exchange/records/written-values.ts';
import { importFile } from '../../support/imports.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/**
 * Files are of others: a value of any length is read in steps that grow with it. With the square of them these tests would
 * take many times what a test may.
 */

const style = { date_order: null, comma: false };
const MEGABYTE = 1024 * 1024;
const repeated = (unit: string, length = MEGABYTE) => unit.repeat(length / unit.length);
const spaced = (length?: number) => `a${repeated(' ', length)}b`;
/** A long cell that a row may have. */
const CELL = 100 * 1024;

describe('a value of a megabyte', () => {
  it.each(['0', '0,', ' ', '1 ', 'a', '€', '-', '1/'])('of %s is answered at once', (unit) => {
    const text = `${repeated(unit)}x0`;
    expect(readNumber(text, style)).toBe(text);
    expect(readDay(text, style)).toBe(text);
    expect(readClock(text)).toBeUndefined();
    expect(currencyIn(text)).toBe(unit === '€' ? 'EUR' : undefined);
    expect(inOneLine(text)).toBe(text.trim());
  });

  it('with lines is one line', () => {
    expect(inOneLine(`a\r\n${repeated(' ')}\r\n${repeated(' \n')}b`)).toBe('a, b');
  });

  it.each(['street', 'email_addresses', 'links', 'name'])('is no %s', (field) => {
    const cells = new Cells([field, 'last_name'], [spaced(), 'Lovelace'], style);
    expect(() => contactFamily.rowOf(cells)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

describe('a value as long as a cell may be', () => {
  it('is read as a street, as addresses of mail, and as domains', () => {
    const emails = Array.from({ length: CELL / 8 }, (_, i) => `${i}@x.e`)
      .join(',')
      .slice(0, CELL);
    const row = contactFamily.rowOf(
      new Cells(['street', 'email_addresses'], [spaced(CELL - 2), emails], style),
    );
    expect(row.draft).toMatchObject({ addresses: [{ street: spaced(CELL - 2) }] });
    expect((row.draft.email_addresses as object[]).length).toBeGreaterThan(9_000);
    const { draft } = organizationFamily.rowOf(
      new Cells(['domains'], [`${repeated('/', CELL - 2)}\ra`], style),
    );
    expect(draft).toEqual({ domains: [''] });
  });

  it('is read in a card and in an event', () => {
    const long = spaced(200_000);
    const card = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:P\r\nADR:;;${long};;;;\r\nEND:VCARD\r\n`;
    expect(readCard(card).draft).toMatchObject({ addresses: [{ street: long }] });
    const event = `BEGIN:VEVENT\r\nSUMMARY:${long}\r\nLOCATION:${long}\r\nEND:VEVENT\r\n`;
    expect(textsIn(readVEvent(event))).toMatchObject({ name: long, location: long });
  });
});

describe('an import', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('refuses what is too long, and reads on', async () => {
    const { ada } = workspace;
    const bytes = [
      'name,amount,contacts',
      'Before,1,',
      `Number,${repeated('0', CELL - 2)}x0,`,
      `Long,${repeated('0', 512 * 1024)}x0,`,
      `Many,1,${repeated('a@x.example;', 2_400)}`,
      'After,2,',
    ].join('\n');
    const { rows } = await importFile(workspace, ada, { name: 'd.csv', bytes }, { record_type: 'deals' });
    expect(rows.map(({ status, error }) => [status, error?.fields])).toEqual([
      ['created', undefined],
      ['failed', { amount: expect.objectContaining({ code: 'invalid' }) }],
      ['failed', { amount: expect.objectContaining({ code: 'too_long' }) }],
      ['failed', { contacts: expect.objectContaining({ code: 'too_long' }) }],
      ['created', undefined],
    ]);
  });
});
