import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fields } from '#shared/fields.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, errorText, fieldCodes, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Checks 9 and 10 of docs/specification/requests.md: path ids, query and body. */
describe('parsing', () => {
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.ctx);
  });
  afterAll(async () => {
    await probes.stop();
    await workspace.stop();
  });

  const id = '0198C0DE-0000-7000-8000-00000000ABCD';
  const echo = (body: unknown, path = `/probes/${id}/parts/${id}`) =>
    raw(probes.url, {
      method: 'POST',
      path,
      headers: [asJson, bearer(workspace.ada.write_key)],
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  const page = (query: string) =>
    raw(probes.url, { path: `/probes?${query}`, headers: [bearer(workspace.ada.read_key)] });

  it('says what a field must be and what was sent', async () => {
    const response = await echo({ probe: { name: 1 } });
    expect(response.json.error?.fields?.name).toEqual({
      code: 'invalid',
      message: 'must be of type string, not number',
    });
  });

  describe('path ids', () => {
    it.each([
      'x',
      '1',
      'me',
      `${id}0`,
      id.slice(1),
      id.replaceAll('-', ''),
      `{${id}}`,
      '%00',
      '%E0%A4%A',
      '..%2f',
    ])('404 identical to every other 404: %s', async (bad) => {
      const response = await echo({ probe: { name: 'a' } }, `/probes/${bad}/parts/${id}`);
      expect([response.status, response.json.error?.code]).toEqual([404, 'record_not_found']);
      const missing = await raw(workspace.url, {
        path: `/contacts/${randomUUID()}`,
        headers: [bearer(workspace.ada.read_key)],
      });
      expect(errorText(response)).toBe(errorText(missing));
    });

    it('accepts any version and case, and passes it on in lower case', async () => {
      for (const each of [
        id,
        randomUUID(),
        randomUUID().replace(/-4/, '-1'),
        '00000000-0000-0000-0000-000000000000',
      ]) {
        const response = await echo({ probe: { name: 'a' } }, `/probes/${each}/parts/${id}`);
        expect(response.json.seen).toMatchObject({
          params: { probe_id: each.toLowerCase(), id: id.toLowerCase() },
        });
      }
    });
  });

  describe('bodies', () => {
    it('names every bad field at once, each with its first problem, without the wrapper', async () => {
      const response = await echo(
        {
          probe: {
            name: '  ',
            note: 'x'.repeat(11),
            parent: { child: 'x' },
            entries: [{ id: randomUUID() }, { id: 7 }],
          },
        },
        `/probes/${id}/parts/${id}?loud=yes&word=abcdef`,
      );
      expect(response.json.error?.code).toBe('invalid_request');
      expect(fieldCodes(response)).toEqual({
        name: 'required',
        note: 'too_long',
        'parent.child': 'invalid_format',
        'entries.1.id': 'invalid',
        loud: 'invalid',
        word: 'too_long',
      });
    });

    it('names a thousand bad fields at most, by a thousand characters', () => {
      const fields = new Fields();
      for (let i = 0; i < 2_000; i++) fields.add(`${i} ${'x'.repeat(2_000)}`, 'invalid', 'is bad');
      const names = Object.keys(fields.found);
      expect([names.length, Math.max(...names.map(({ length }) => length))]).toEqual([1_000, 1_000]);
    });

    it.each([
      ['a missing wrapper', {}, { probe: 'required' }],
      ['no body at all', '', { probe: 'required' }],
      ['a wrapper that is null', { probe: null }, { probe: 'required' }],
      ['a wrapper that is text', { probe: 'name' }, { probe: 'invalid' }],
      ['a wrapper that is a list', { probe: [] }, { probe: 'invalid' }],
      ['a missing field', { probe: {} }, { name: 'required' }],
      ['null for what is required', { probe: { name: null } }, { name: 'required' }],
      ['null for what may be left out', { probe: { name: 'a', parent: null } }, { parent: 'invalid' }],
      ['a number for text', { probe: { name: 5 } }, { name: 'invalid' }],
      ['too many entries', { probe: { name: 'a', entries: Array(3).fill({ id }) } }, { entries: 'too_long' }],
      ['NUL', { probe: { name: 'a\0' } }, { name: 'invalid_format' }],
      ['a lone surrogate', '{"probe":{"name":"a\\ud800"}}', { name: 'invalid_format' }],
      ['11 characters', { probe: { name: '\u{1F600}'.repeat(11) } }, { name: 'too_long' }],
    ])('400: %s', async (_, body, fields) => {
      const response = await echo(body);
      expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_request']);
      expect(fieldCodes(response)).toEqual(fields);
    });

    it('counts code points as characters, and trims required fields', async () => {
      const response = await echo({ probe: { name: ` ${'\u{1F600}'.repeat(10)} `, note: null } });
      expect(response.json.seen).toMatchObject({
        body: { probe: { name: '\u{1F600}'.repeat(10), note: null } },
      });
    });

    it.each([
      '{',
      '[',
      '{"probe":}',
      'null',
      '[]',
      '"text"',
      '7',
      'true',
      "{'probe':{}}",
      '\uFEFF{}x',
      '{}{}',
    ])('400 without fields: %s', async (body) => {
      const response = await echo(body);
      expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_request']);
      expect(response.json.error).not.toHaveProperty('fields');
    });

    it('400 without fields: bytes that are not UTF-8', async () => {
      const body = Buffer.concat([
        Buffer.from('{"probe":{"name":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}}'),
      ]);
      const response = await echo(body);
      expect(response.status).toBe(400);
      expect(response.json.error).not.toHaveProperty('fields');
    });

    it('ignores unknown keys, __proto__ and constructor among them', async () => {
      const response = await echo(
        '{"other":1,"__proto__":{"name":"p"},"probe":{"name":"a","__proto__":{"note":"p"},"constructor":{"x":1},"extra":{"__proto__":{"x":1},"y":2}}}',
      );
      expect(response.status).toBe(200);
      expect((response.json.seen as { body: unknown }).body).toEqual({
        probe: { name: 'a', extra: { y: 2 } },
      });
      expect(({} as Record<string, unknown>).x).toBeUndefined();
      const missing = await echo('{"__proto__":{"probe":{"name":"a"}}}');
      expect(fieldCodes(missing)).toEqual({ probe: 'required' });
    });

    it('uses the last of repeated keys', async () => {
      const response = await echo('{"probe":{"name":"first"},"probe":{"name":"last"}}');
      expect(response.json.seen).toMatchObject({ body: { probe: { name: 'last' } } });
    });

    it('400 not_allowed: a key of the name of a path parameter with another value', async () => {
      const probe = { name: 'a' };
      const other = await echo({ probe, probe_id: randomUUID(), id: 5 });
      expect(other.status).toBe(400);
      expect(fieldCodes(other)).toEqual({ probe_id: 'not_allowed', id: 'not_allowed' });
      const same = await echo({ probe, probe_id: id, id: id.toLowerCase() });
      expect(same.status).toBe(200);
    });
  });

  describe('query parameters', () => {
    it.each([
      ['a bad boolean', 'loud=1', { loud: 'invalid' }],
      ['upper case', 'loud=TRUE', { loud: 'invalid' }],
      ['a repeated one', 'loud=true&loud=true', { loud: 'invalid' }],
      ['an empty one', 'word=', { word: 'invalid' }],
      ['one without a value', 'word', { word: 'invalid' }],
      ['a long one', 'word=abcdef', { word: 'too_long' }],
      ['NUL', 'word=a%00', { word: 'invalid_format' }],
      ['several bad ones', 'loud=no&word=', { loud: 'invalid', word: 'invalid' }],
    ])('400: %s', async (_, query, fields) => {
      const response = await page(query);
      expect(response.status).toBe(400);
      expect(fieldCodes(response)).toEqual(fields);
    });

    it('reads those it knows and ignores the rest', async () => {
      const response = await page(
        'loud=false&word=a%20b&other=1&other=2&__proto__=x&toString=y&constructor=',
      );
      expect(response.json.seen).toEqual({ loud: false, word: 'a b' });
    });

    it('400 unsupported_cursor_direction: prev_cursor on a list that pages forward', async () => {
      for (const query of [
        'prev_cursor=x',
        'prev_cursor=',
        'prev_cursor=x&next_cursor=y',
        'prev_cursor=x&loud=1',
      ]) {
        const response = await page(query);
        expect([response.status, response.json.error?.code]).toEqual([400, 'unsupported_cursor_direction']);
      }
    });
  });
});
