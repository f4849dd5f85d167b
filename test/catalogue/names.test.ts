import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '#shared/api/openapi.ts';
import { operations } from '../../functions/catalogue.ts';
import { problemsOf } from '../support/failures.ts';
import { long } from '../support/long.ts';
import { asJson, bearer, fieldCodes, type RawResponse, raw } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Every operation with a name, a text or a date in its body, called with invisible characters and impossible dates. */

const INVISIBLE = {
  'zero width space': '\u200b',
  'zero width joiners': '\u200d\u200c',
  'word joiner': '\u2060',
  'byte order mark': ' \ufeff ',
  'soft hyphen': '\u00ad',
  'Hangul filler': '\u3164',
  'halfwidth Hangul filler': '\uffa0',
  'empty Braille pattern': '\u2800\u2800',
  'a mark without a letter': '\u0301',
  'variation selector': '\ufe0f',
  'language tag': '\u{e0041}',
  'direction mark': '\u200f',
  'a mix of them': '\u200b\u00a0\u3164\u0301\u2800',
};
const UNNAMEABLE = {
  'line feed': 'a\nb',
  tab: 'a\tb',
  bell: 'a\u0007b',
  escape: '\u001b[31mred',
  delete: 'a\u007fb',
  'next line': 'a\u0085b',
  'line separator': 'a\u2028b',
  'paragraph separator': 'a\u2029b',
  'right-to-left override': 'invoice\u202efdp.exe',
  'direction isolate': 'a\u2067b',
};
const FINE = ['👩🏽‍👩🏻‍👧🏿‍👦', 'نام‌خانوادگی', '\u200fשרה', 'Zoë', 'क्‍ष', 'o', '가', '\u{1FAE9}', 'ﷺ'];

/** All in the long tests; in `npm test` two, which differ from field to field. */
function drawn(values: Record<string, string>, field: Named): [title: string, value: string][] {
  const all = Object.entries(values);
  const at = cases.indexOf(field);
  return long
    ? all
    : all.filter((_, i) => [0, Math.floor(all.length / 2)].some((j) => (at + j) % all.length === i));
}

interface Named {
  name: string;
  method: string;
  template: string;
  access: string;
  example: Record<string, unknown>;
  /** Where the name stands in the body. */
  path: string[];
  field: string;
  optional: boolean;
}

const named: [operation: string, path: string[], optional?: boolean][] = [
  ['createSpace', ['space', 'name']],
  ['updateSpace', ['space', 'name']],
  ['createCalendarEvent', ['calendar_event', 'name']],
  ['updateCalendarEvent', ['calendar_event', 'name']],
  ['updateCalendar', ['calendar', 'name']],
  ['createMailbox', ['mailbox', 'name']],
  ['updateMailbox', ['mailbox', 'name']],
  ['createDeal', ['deal', 'name']],
  ['createTask', ['task', 'name']],
  ['updateTask', ['task', 'name']],
  ['updateFile', ['file', 'name']],
  ['createDraft', ['draft', 'subject'], true],
  ['updateDraft', ['draft', 'subject'], true],
  ['createMilestone', ['milestone', 'name']],
  ['updateMilestone', ['milestone', 'name']],
  ['createCustomField', ['custom_field', 'name']],
  ['updateCustomField', ['custom_field', 'name']],
  ['createTag', ['tag', 'name']],
  ['updateTag', ['tag', 'name']],
  ['createGroup', ['group', 'name']],
  ['updateGroup', ['group', 'name']],
  ['createPipeline', ['pipeline', 'name']],
  ['updatePipeline', ['pipeline', 'name']],
  ['createStage', ['stage', 'name']],
  ['updateStage', ['stage', 'name']],
  ['createApiKey', ['api_key', 'name']],
  ['createAccount', ['account', 'name']],
  ['updateAccount', ['account', 'name']],
  ['createUser', ['user', 'name']],
  ['updateUser', ['user', 'first_name'], true],
  ['updateUser', ['user', 'last_name'], true],
  ['createDeviceToken', ['device_token', 'name'], true],
  ['createWaitlistee', ['waitlistee', 'name'], true],
  ['createUpload', ['upload', 'file_name']],
  ['createConversation', ['conversation', 'title'], true],
  ['updateConversation', ['conversation', 'title'], true],
  ['createOrganization', ['organization', 'name']],
  ['updateOrganization', ['organization', 'name']],
  ...['name', 'first_name', 'last_name', 'nickname', 'headline', 'external_id'].map(
    (field): [string, string[], boolean] => ['createContact', ['contact', field], true],
  ),
];

const documented = Object.entries(openApiDocument(operations).paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ template, method, operation })),
);

const cases: Named[] = named.map(([name, path, optional = false]) => {
  const found = documented.find(({ operation }) => operation.operationId === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return {
    name,
    method: found.method.toUpperCase(),
    template: found.template,
    access: found.operation['x-access'],
    example: found.operation.requestBody?.content['application/json']?.example as Record<string, unknown>,
    path,
    field: path.at(-1) as string,
    optional,
  };
});

describe('names', () => {
  let workspace: Workspace;
  let records: Records;
  beforeAll(async () => {
    workspace = await startWorkspace();
    records = await createRecords(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  let sent = 0;
  const send = ({ method, template, example, path }: Named, value: unknown): Promise<RawResponse> => {
    // Without rate limits.
    if (++sent % 300 === 0) workspace.setTime(new Date(Date.now() + (sent / 300) * 180_000));
    const type = /\/(\w+)\/\{id\}/.exec(template)?.[1] as string;
    const [wrapper = '', field = ''] = path;
    const known = { ...(example?.[wrapper] as Record<string, unknown>) };
    // An event is in a calendar that exists.
    if ('calendar_id' in known) known.calendar_id = records.calendars;
    const body = { [wrapper]: { ...known, [field]: value } };
    return raw(workspace.url, {
      method,
      path: template.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => records[name === 'id' ? type : `${name.slice(0, -'_id'.length)}s`] ?? '',
      ),
      headers: [bearer(workspace.ada.session_token), asJson],
      body: JSON.stringify(body),
    });
  };

  it.each(cases)('$name refuses a $field that is invisible', async (each) => {
    for (const [title, value] of drawn(INVISIBLE, each)) {
      if (each.optional && value.trim() === '') continue;
      const response = await send(each, value);
      const code = each.optional ? 'invalid_format' : 'required';
      expect([title, response.status, fieldCodes(response)]).toEqual([title, 400, { [each.field]: code }]);
    }
  });

  /** Half in `npm test`. */
  const some = long ? cases : cases.filter((_, i) => i % 2 === 0);
  it.each(some)('$name refuses control characters and overrides in its $field', async (each) => {
    for (const [title, value] of drawn(UNNAMEABLE, each)) {
      const response = await send(each, value);
      expect([title, response.status, fieldCodes(response)]).toEqual([
        title,
        400,
        { [each.field]: 'invalid_format' },
      ]);
    }
  });

  it('of tags that are created by applying them follow the same rules', async () => {
    const params = { record_type: 'contacts' as const, record_id: records.contacts as string };
    for (const [name, code] of [
      ['\u3164', 'required'],
      ['a\u202eb', 'invalid_format'],
    ] as const)
      expect(await problemsOf(workspace.ada.api.applyTag({ params, body: { tag: { name } } }))).toEqual({
        'tag.name': code,
      });
  });

  it('in other scripts and with emoji are accepted', async () => {
    for (const name of FINE) {
      const tag = await workspace.ada.api.createTag({ body: { tag: { name: `${name}` } } });
      expect(tag.body.tag.name).toBe(name);
      const contact = await workspace.ada.api.createContact({ body: { contact: { name } } });
      expect(contact.body.contact.name).toBe(name);
    }
  });

  it('of custom fields are visible lines', async () => {
    const contact = cases.find(({ name }) => name === 'createContact') as Named;
    const custom = { ...contact, path: ['contact', 'custom_fields'] };
    for (const key of ['', ' ', ...Object.values(INVISIBLE), ...Object.values(UNNAMEABLE), '\0', '\ud800'])
      expect(fieldCodes(await send(custom, { [key]: 1 })), JSON.stringify(key)).toEqual({
        custom_fields: 'invalid_format',
      });
    const custom_fields = Object.fromEntries(FINE.map((key) => [key, 1]));
    const made = await workspace.ada.api.createContact({ body: { contact: { name: 'Zoë', custom_fields } } });
    expect(made.body.contact.custom_fields).toEqual(custom_fields);
  });

  it('covers every operation with a required name', () => {
    const bodies = documented.filter(({ operation }) => {
      const example = JSON.stringify(operation.requestBody?.content['application/json']?.example ?? {});
      return /"(name|title|file_name)":/.test(example);
    });
    const swept = new Set([...named.map(([name]) => name)]);
    const rest = bodies.map(({ operation }) => operation.operationId).filter((id) => !swept.has(id));
    expect(rest.filter((id) => !id.startsWith('applyTag'))).toEqual([]);
  });
});
