import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTerms } from '#shared/terms.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /terms_assents', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: nothing by default, and nothing waits for it', async () => {
    const { status, body } = await workspace.grace.session.listTermsAssents();
    expect([status, body]).toEqual([200, { documents: [], terms_assents: [] }]);
  });

  it('200: the current documents, and what oneself accepted, oldest first', async () => {
    const url = 'https://acme.example/terms';
    const version = (number: string) => ({
      slug: 'terms',
      version: number,
      title: 'Terms',
      url,
      required: true,
    });
    for (const [i, number] of ['1', '2', '3'].entries()) {
      workspace.setTime(new Date(Date.now() + i * 1_000));
      workspace.ctx.config.terms = [version(number)];
      const documents = [{ slug: 'terms', version: number }];
      if (number !== '3')
        await workspace.grace.session.createTermsAssent({
          body: { terms_assent: { documents, method: 'clickwrap' } },
        });
    }
    const { documents, terms_assents } = (await workspace.grace.session.listTermsAssents()).body;
    expect(documents).toEqual([{ ...version('3'), accepted: false }]);
    expect(terms_assents.map((each) => each.version)).toEqual(['1', '2']);
    expect((await workspace.ada.session.listTermsAssents()).body.terms_assents).toEqual([]);
    workspace.ctx.config.terms = [];
  });
});

describe('the configured documents', () => {
  const one = { slug: 'terms', version: '1', title: 'Terms', url: 'https://acme.example', required: true };

  it('are none without a text, or as the text says', () => {
    expect(readTerms(undefined, 'TERMS')).toEqual([]);
    expect(readTerms(JSON.stringify([{ ...one, more: 1 }]), 'TERMS')).toEqual([one]);
  });

  it.each([
    ['no JSON', 'terms', 'must be a JSON list'],
    ['no list', '{}', 'must be a JSON list'],
    ['no version', JSON.stringify([{ ...one, version: '' }]), 'must be a JSON list'],
    ['a script', JSON.stringify([{ ...one, url: 'javascript:alert(1)' }]), 'must be a JSON list'],
    ['the same twice', JSON.stringify([one, one]), 'each slug once'],
    ['too much', `[${' '.repeat(2_000)}]`, 'at most 2000 characters'],
  ])('one line for %s', (_, text, message) => {
    expect(() => readTerms(text, 'TERMS')).toThrow(message);
  });
});
