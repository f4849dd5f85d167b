import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guessTargets } from '#shared/domain/exchange/records/guess.ts';
import {
  currencyIn,
  dateOrderOf,
  escaped,
  inOneCell,
  readClock,
  readDay,
  readNumber,
  several,
  severalWithCommas,
  unescaped,
} from '#shared/domain/exchange/records/written-values.ts';

/** Columns by their names, and values as people write them. */

describe('the columns of exports', () => {
  it.each([
    [
      'Google Contacts',
      'contacts',
      'First Name,Middle Name,Last Name,Nickname,Organization Name,Organization Title,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Street,Address 1 - Postal Code,Website 1 - Value',
      'first_name,,last_name,nickname,organization,title,birthday,description,tags,,email_addresses,email_addresses,,phone_numbers,street,postal_code,links',
    ],
    [
      'Outlook',
      'contacts',
      'First Name,Last Name,Company,Job Title,Business Street,Business Postal Code,Business Country/Region,Business Phone,Home Phone,Mobile Phone,Categories,E-mail Address,E-mail 2 Address,Notes,Web Page',
      'first_name,last_name,organization,title,street.work,postal_code.work,country.work,phone_numbers.work,phone_numbers.home,phone_numbers.mobile,tags,email_addresses,email_addresses,description,links',
    ],
    [
      'HubSpot',
      'contacts',
      'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Company Name,Job Title,State/Region',
      'external_id,first_name,last_name,email_addresses,phone_numbers,phone_numbers.mobile,organization,title,region',
    ],
    [
      'HubSpot',
      'deals',
      'Record ID,Deal Name,Deal Stage,Pipeline,Close Date,Amount,Deal owner',
      'external_id,name,stage,pipeline,expected_close_on,amount,assigned_user',
    ],
    [
      'Salesforce',
      'organizations',
      'Account ID,Account Name,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Phone,Website,Industry,Employees',
      'external_id,name,street,city,region,postal_code,phone_numbers,website_url,industry,employee_count',
    ],
    [
      'Pipedrive',
      'contacts',
      'Person - Name,Person - Organization,Person - Email - Work,Person - Phone - Mobile',
      'name,organization,email_addresses.work,phone_numbers.mobile',
    ],
    [
      'German',
      'contacts',
      'Vorname,Nachname,E-Mail,Telefon,Straße,PLZ,Ort',
      'first_name,last_name,email_addresses,phone_numbers,street,postal_code,city',
    ],
    [
      'French',
      'contacts',
      'Prénom,Nom,Courriel,Société,Code postal',
      'first_name,last_name,email_addresses,organization,postal_code',
    ],
    [
      'Spanish',
      'contacts',
      'Nombre,Apellidos,Correo electrónico,Teléfono,Empresa',
      'first_name,last_name,email_addresses,phone_numbers,organization',
    ],
    [
      'plain',
      'tasks',
      'Task,Due Date,Assignee,Priority,Notes',
      'name,due_at,assigned_user,priority,description',
    ],
    [
      'our own',
      'contacts',
      'id,name,phone_numbers.work,custom_fields.Region,external_id',
      ',name,phone_numbers.work,custom_fields.Region,external_id',
    ],
    ['hostile', 'contacts', '__proto__,constructor,toString,', ',,,'],
  ] as const)('of %s are known: %s', (_, type, names, fields) => {
    expect(guessTargets(type, names.split(','))).toEqual(fields.split(',').map((field) => field || null));
  });
});

describe('written values', () => {
  it.each([
    ['2026-03-04', null, '2026-03-04'],
    ['2026/3/4', null, '2026-03-04'],
    ['20260304', null, '2026-03-04'],
    ['4.3.2026', null, '2026-03-04'],
    ['4/3/2026', 'dmy', '2026-03-04'],
    ['3/4/2026', 'mdy', '2026-03-04'],
    ['13/4/2026', null, '2026-04-13'],
    ['4/13/2026 10:00', null, '2026-04-13'],
    ['4/3/2026', null, '4/3/2026'],
    ['soon', 'dmy', 'soon'],
  ] as const)('%s is a day (%s)', (text, date_order, day) => {
    expect(readDay(text, { date_order, comma: false })).toBe(day);
  });

  it('have an order of day and month that one of them tells', () => {
    expect(dateOrderOf(['1/2/2026', '3/13/2026'])).toBe('mdy');
    expect(dateOrderOf(['1/2/2026', '13/3/2026'])).toBe('dmy');
    expect(dateOrderOf(['1/2/2026', 'x'])).toBeNull();
  });

  it.each([
    ['2026-03-04 9:30', '09:30'],
    ['3/4/2026 9:30 PM', '21:30'],
    ['04.03.2026, 12:05:10', '12:05'],
    ['2026-03-04', undefined],
  ])('%s has the clock time %s', (text, clock) => {
    expect(readClock(text)).toBe(clock);
  });

  it.each([
    ['1,234.50', false, 1234.5],
    ['1.234,50 €', false, 1234.5],
    ['$ 12', false, 12],
    ['1,234', false, 1234],
    ['1.234', true, 1234],
    ['12,5', true, 12.5],
    ['12,50', false, 12.5],
    ['12.50', true, 12.5],
    ['0.125', true, 0.125],
    ['1 234,50', false, 1234.5],
    ["12'345.50", true, 12345.5],
    ['1,23,456', false, 123456],
    ['1.234.567', false, 1234567],
    ['1.500,-', true, 1500],
    ['1,500.– CHF', false, 1500],
    ['\u22125', false, -5],
    ['5-', false, '5-'],
    ['1,2,3', false, '1,2,3'],
    ["1'000", false, 1000],
    ['-5', false, -5],
    ['1.5e-7', true, 1.5e-7],
    ['1E+21', false, 1e21],
    ['many', false, 'many'],
    ['1-2', false, '1-2'],
  ])('%s is a number (decimal comma: %s)', (text, comma, value) => {
    expect(readNumber(text, { date_order: null, comma })).toBe(value);
  });

  it('have a currency', () => {
    expect(['€ 5', '5 USD', '£1', '$5'].map(currencyIn)).toEqual(['EUR', 'USD', 'GBP', undefined]);
  });

  it.each([
    ['a; b\nc, d', ['a', 'b', 'c, d'], ['a', 'b', 'c', 'd']],
    ['Sales, EMEA ::: a;b\nc:::d', ['Sales, EMEA', 'a;b\nc', 'd'], ['Sales, EMEA', 'a;b\nc', 'd']],
    ['Sales, EMEA :::', ['Sales, EMEA'], ['Sales, EMEA']],
    ['a :::: b', ['a :::: b'], ['a :::: b']],
    ['a :::: b :::', ['a ::: b'], ['a ::: b']],
  ])('%j is several values', (text, some, more) => {
    expect([several(text), severalWithCommas(text)]).toEqual([some, more]);
  });

  it('come back from the cell that they were written into', () => {
    const piece = fc.constantFrom(...',;:\n"\'=+@- \tx', ':::', '😀');
    const value = fc.string({ unit: piece, maxLength: 12 }).map((text) => text.trim());
    const values = fc.array(value.filter((text) => text !== ''));
    fc.assert(
      fc.property(values, (sent) => {
        const cell = inOneCell(sent);
        expect([several(cell), severalWithCommas(cell)]).toEqual([sent, sent]);
        expect(unescaped(escaped(cell))).toBe(cell);
        expect(escaped(cell)).not.toMatch(/^[=+@\t\r-]/);
      }),
      { numRuns: 1_000 },
    );
  });
});
