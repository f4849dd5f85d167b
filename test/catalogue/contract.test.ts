import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { descriptions } from '#shared/api/descriptions/descriptions.ts';
import { conditions } from '#shared/api/openapi-conditions.ts';
import type { JsonSchema } from '#shared/api/openapi-examples.ts';
import { readDismissal } from '#shared/domain/collaboration/notifications/event.ts';
import { readTarget } from '#shared/domain/collaboration/shares/target.ts';
import { readTagChoice } from '#shared/domain/collaboration/tags/tagging.ts';
import { memberChoice } from '#shared/domain/crm/spaces/memberships/membership.ts';
import { requireOne } from '#shared/domain/mail/drafts/attach.ts';
import { operations } from '../../functions/catalogue.ts';
import { document, documented, fits, schemas, within } from '../support/document.ts';

const named = Object.entries(schemas);
const parameters = documented.flatMap((each) =>
  (each.parameters ?? []).map((parameter) => ({ ...parameter, operation: each['x-operation'] })),
);
const definitions = new Map(operations.map(({ definition }) => [definition.name, definition]));

/** Whether a text says more than the words of the name, "the" and "of". */
function saysMore(text: string | undefined, name: string): boolean {
  const known = new Set([...name.toLowerCase().split('_'), 'a', 'an', 'the', 'of', 'is', 'its']);
  const words = text?.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.some((word) => !known.has(word));
}

describe('descriptions of the contract', () => {
  it.each(named)('%s and its fields are described', (name, schema) => {
    expect(saysMore(schema.description, name), name).toBe(true);
    for (const [field, part] of Object.entries(schema.properties ?? {}))
      expect(saysMore(part.description, field), `${name}.${field}`).toBe(true);
  });

  it('are on every parameter and header', () => {
    const bare = parameters.filter(({ name, description }) => !saysMore(description, name));
    expect(bare.map(({ operation, name }) => `${operation}: ${name}`)).toEqual([]);
    const { headers } = document.components as unknown as { headers: Record<string, JsonSchema> };
    expect(Object.entries(headers).filter(([, { description }]) => !description)).toEqual([]);
  });

  it('are of schemas and fields that exist', () => {
    const gone = Object.entries(descriptions).flatMap(([name, { fields = {} }]) =>
      schemas[name]
        ? Object.keys(fields)
            .filter((field) => !schemas[name]?.properties?.[field])
            .map((field) => `${name}.${field}`)
        : [name],
    );
    expect(gone).toEqual([]);
  });

  it('tell clients what holds everywhere', () => {
    const { description } = (document as unknown as { info: { description: string } }).info;
    for (const said of ['ignore fields', 'doc_url', 'request_id', 'Ignored-Fields', 'handling=strict'])
      expect(description).toContain(said);
  });
});

describe('names in the contract', () => {
  it('are those of one record', () => {
    const ids = documented.map(({ operationId }) => operationId);
    expect(ids).toEqual(expect.arrayContaining(['createShareOnMailbox', 'listSharesOnMailbox']));
    expect(ids).toEqual(expect.arrayContaining(['updateShareOnMailbox', 'deleteShareOnMailbox']));
    expect(ids.filter((id) => /(?:On\w*s|Mailboxe)$/.test(id))).toEqual([]);
  });

  it('are on every object', () => {
    const nameless = named.flatMap(([name, schema]) =>
      [...within(schema)].slice(1).flatMap(({ properties }) => (properties ? [name] : [])),
    );
    expect(nameless).toEqual([]);
  });

  it.each(documented)('are on the bodies of $operationId', ({ requestBody, responses }) => {
    for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
      const { schema } = content?.['application/json'] ?? {};
      if (schema?.properties) expect.fail(`an inline body: ${Object.keys(schema.properties)}`);
    }
  });

  it('tell the types of blocks apart', () => {
    const { oneOf = [], discriminator } = schemas.Block as JsonSchema;
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: object };
    expect(propertyName).toBe('type');
    expect(Object.keys(mapping)).toEqual(['text', 'proposal', 'cards', 'table']);
    expect(Object.values(mapping)).toEqual(oneOf.map(({ $ref }) => $ref));
    for (const [type, ref] of Object.entries(mapping))
      expect(schemas[ref.split('/').at(-1)]?.properties?.type?.const).toBe(type);
  });
});

describe('what the contract allows', () => {
  it.each(named)('%s may grow when it is returned', (name, schema) => {
    for (const part of within(schema)) expect(part.additionalProperties, name).not.toBe(false);
    const record = documented.some(({ responses }) =>
      Object.values(responses).some(({ content }) =>
        content?.['application/json']?.schema?.$ref?.endsWith(`/${name}`),
      ),
    );
    if (record) expect(schema.additionalProperties).toBe(true);
  });

  it('accepts whatever numbers the service lowers', () => {
    const numbers = parameters.filter(({ schema }) => schema.type === 'integer');
    expect(numbers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['limit', 'per_page', 'page', 'cap']),
    );
    for (const { operation, name, schema } of numbers) {
      const accepts = (sent: string) =>
        definitions.get(operation)?.query?.[name]?.safeParse(sent).success ??
        expect.fail(`${operation} ${name}`);
      for (const sent of [-1, 0, 1, 100, 101, 1_000_000])
        expect({ operation, name, sent, ok: fits(schema, sent) }).toMatchObject({
          ok: accepts(String(sent)),
        });
    }
  });

  it.each(documented)(
    'the examples of $operationId fit its schemas',
    ({ requestBody, responses, operationId }) => {
      for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
        const { schema, example } = content?.['application/json'] ?? {};
        if (schema && example !== undefined) expect(fits(schema, example), operationId).toBe(true);
      }
    },
  );

  it('does not offer fields that no request can set', () => {
    expect(named.filter(([, schema]) => [...within(schema)].some((part) => part.not))).toEqual([]);
    expect(Object.keys(schemas.ContactDraftEmploymentOrganization?.properties ?? {})).toEqual(['id', 'name']);
  });
});

describe('examples of the contract', () => {
  const ahead =
    /^(?:(?:\w+_)?expires_at|(?:trial|current_period)_ends_at|\w+_until|(?:due|send)_(?:at|on)|next_(?:\w+_)?at|expected_close_on)$/;
  function* moments(value: unknown, name = ''): Generator<string> {
    if (typeof value === 'string' && ahead.test(name) && /^\d{4}-/.test(value)) yield value;
    if (typeof value !== 'object' || value === null) return;
    const own = value as Record<string, unknown>;
    if (ahead.test(name)) for (const each of (own.examples as unknown[]) ?? []) yield* moments(each, name);
    for (const [key, part] of Object.entries(own)) yield* moments(part, key);
  }

  it('are not over', () => {
    const found = [...moments(document)];
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter((moment) => !(Date.parse(moment) > Date.now()))).toEqual([]);
  });

  it('are not over in requests, whatever their fields are called', () => {
    const sent = documented.map(({ requestBody }) => requestBody?.content['application/json']?.example);
    const days = JSON.stringify(sent).match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? [];
    expect(days).not.toEqual([]);
    expect(days.filter((day) => !(Date.parse(day) > Date.now()))).toEqual([]);
  });
});

const id = '0198c0de-0000-7000-8000-000000000001';

/** A body of each combination of these values; undefined is not sent. */
function combined(values: Record<string, unknown[]>): Record<string, unknown>[] {
  return Object.entries(values).reduce<Record<string, unknown>[]>(
    (bodies, [name, some]) =>
      bodies.flatMap((body) =>
        some.map((value) => (value === undefined ? body : { ...body, [name]: value })),
      ),
    [{}],
  );
}

const succeeds = (read: () => unknown) => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

function draftOf(operation: string, wrapper: string): z.ZodType {
  return definitions.get(operation)?.body?.[wrapper] ?? expect.fail(operation);
}

/** Whether a contact may be employed by it. */
const employmentOf = (operation: string, organization: unknown) =>
  draftOf(operation, 'contact').safeParse({ name: 'Ada', employments: [{ title: 'Analyst', organization }] })
    .success;

describe('fields that requests need together', () => {
  const cases: Record<string, { values: Record<string, unknown[]>; accepts: (body: never) => boolean }> = {
    ShareDraft: {
      values: { user_id: [undefined, id], group_id: [undefined, id], access: [undefined, 'edit'] },
      accepts: (body) => succeeds(() => readTarget(body)),
    },
    ApplyTagRequest: {
      values: { tag_id: [undefined, id], tag: [undefined, { name: 'Renewal' }] },
      accepts: (body) => succeeds(() => readTagChoice(body)),
    },
    AttachmentDraft: {
      values: { upload_id: [undefined, id], file_id: [undefined, id] },
      accepts: (body) => succeeds(() => requireOne(body)),
    },
    CreateSpaceMembershipRequest: {
      values: { contact_id: [undefined, id], organization_id: [undefined, id] },
      accepts: (body) => succeeds(() => memberChoice(body)),
    },
    CalendarSubscriptionDraft: {
      values: {
        calendar_id: [undefined, id],
        url: [undefined, 'https://acme.example/holidays.ics'],
        color: [undefined, '#2F6FED'],
      },
      accepts: (body) =>
        draftOf('createCalendarSubscription', 'calendar_subscription').safeParse(body).success,
    },
    CalendarEventDraft: {
      values: {
        ...{ calendar_id: [id], name: ['Ferry timetable'] },
        starts_at: [undefined, '2099-02-02T09:00:00Z'],
        starts_on: [undefined, '2099-02-02'],
        ends_at: [undefined, '2099-02-02T10:00:00Z'],
        ends_on: [undefined, '2099-02-02'],
      },
      accepts: (body) => draftOf('createCalendarEvent', 'calendar_event').safeParse(body).success,
    },
    ContactDraftEmploymentOrganization: {
      values: { id: [undefined, id], name: [undefined, 'Acme'] },
      accepts: (body) => employmentOf('createContact', body),
    },
    ContactChangesEmploymentOrganization: {
      values: { id: [undefined, id], name: [undefined, 'Acme'] },
      accepts: (body) => employmentOf('updateContact', body),
    },
    DismissNotificationsRequest: {
      values: {
        ids: [undefined, [], [id]],
        slice: [undefined, 'comment_added'],
        global: [undefined, true, false],
      },
      accepts: (body) => succeeds(() => readDismissal(body)),
    },
    ContactDraft: {
      values: {
        name: [undefined, null, 'Ada'],
        first_name: [undefined, null, 'Ada'],
        last_name: [undefined, null, 'Byron'],
        email_addresses: [undefined, [], [{ email_address: 'ada@acme.example' }]],
        headline: [undefined, 'Analyst'],
      },
      accepts: (body) => draftOf('createContact', 'contact').safeParse(body).success,
    },
    ConversationDraft: {
      values: { record_type: [undefined, null, 'thread'], record_id: [undefined, null, id] },
      accepts: (body) => draftOf('createConversation', 'conversation').safeParse(body).success,
    },
  };

  it('are all tested', () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(conditions).sort());
    expect(Object.keys(conditions).filter((name) => !schemas[name])).toEqual([]);
  });

  it.each(Object.entries(cases))('%s accepts what the service accepts', (name, { values, accepts }) => {
    const bodies = combined(values);
    const judged = bodies.map((body) => ({ body, ok: fits({ $ref: `#/components/schemas/${name}` }, body) }));
    expect(judged).toEqual(bodies.map((body) => ({ body, ok: accepts(body as never) })));
    expect(new Set(judged.map(({ ok }) => ok))).toEqual(new Set([true, false]));
  });
});
