import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '..', '..', 'infra/scripts/check-imports.ts');

function check(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, problems: stderr.trim() };
}

describe('imports', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'imports-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Checks a tree of these files. */
  const checkTree = (files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    return check('--root', root);
  };

  it('of this project point one way', () => {
    expect(check()).toEqual({ status: 0, problems: '' });
  });

  it.each([
    ['shared/a.ts', "import { b } from '../functions/b.ts';", 'shared stands alone'],
    ['shared/a.ts', "import type { B } from '../infra/b.ts';", 'shared stands alone'],
    ['functions/tags/a.ts', "export * from '../../infra/b.ts';", 'where they run'],
    ['functions/tags/a.ts', "import {\n  b,\n  c,\n} from './b.ts';", 'never imports a route'],
    ['functions/tags/a.ts', "const b = await import('../docs/b.ts');", 'never imports a route'],
    ['infra/a.ts', "import '../test/b.ts';", 'only tests'],
    ['shared/table/a.ts', "import { b } from '../domain/tags/b.ts';", 'knows no domain'],
    ['shared/domain/tags/a.ts', "import { b } from '../../api/b.ts';", 'knows no HTTP'],
    [
      'shared/domain/mail/a/a.ts',
      "import { b } from '#shared/composition/b.ts';",
      'composed by entry points',
    ],
    ['shared/api/a.ts', "import type { B } from '../composition/b.ts';", 'composed by entry points'],
    ['infra/a.ts', "import { b } from '#shared/composition/b.ts';", 'composed by entry points'],
    ['shared/domain/mail/a/a.ts', "import { b } from '#shared/providers/mail/b.ts';", 'adapters of ports'],
    ['functions/queues/a.ts', "import { b } from '#shared/providers/assistant/b.ts';", 'adapters of ports'],
    ['shared/api/a.ts', "import { b } from '#shared/uses/b.ts';", 'for deployments'],
    ['shared/errors.ts', "import { b } from './ids.ts';", 'leaves'],
    ['shared/values.ts', "import { b } from './ids.ts';", 'values'],
    ['shared/domain/collaboration/tags/tag.ts', "import { b } from '#shared/table/table.ts';", 'models'],
    ['shared/domain/collaboration/tags/store.ts', "import { b } from '@aws-sdk/lib-dynamodb';", 'DynamoDB'],
    ['functions/tags/a.ts', "import { b } from '#shared/api/openapi.ts';", 'not deployed'],
    ['functions/docs/a.ts', "import { marked } from 'marked';", 'Markdown is rendered'],
    ['shared/domain/identity/a/a.ts', "import { b } from '#shared/domain/crm/b/b.ts';", 'not above crm'],
    ['shared/domain/crm/a/a.ts', "import type { B } from '#shared/domain/mail/b/b.ts';", 'not above mail'],
    ['shared/domain/crm/a/a.ts', "import { b } from '#shared/domain/tags/b/b.ts';", 'tags is no context'],
  ])('are refused: %s with %j', (file, text, reason) => {
    const { status, problems } = checkTree({ [file]: text });
    expect(status).toBe(1);
    expect(problems).toContain(`${file} imports `);
    expect(problems).toContain(reason);
  });

  it('are allowed in their places', () => {
    const tree = {
      'functions/tags/index.ts': "export * as a from './a.ts';",
      'functions/tags/a.ts': "import { b } from '#shared/domain/collaboration/tags/store.ts';",
      'functions/tags/b.ts': "import { b } from '#shared/composition/b.ts';",
      'test/tags/b.ts': "import { b } from '#shared/composition/b.ts';",
      'shared/composition/b.ts': "import { c } from '#shared/domain/mail/c.ts';",
      'shared/api/route.ts': "import type { Use } from '#shared/uses/kinds.ts';",
      'shared/composition/c.ts': "import { d } from '#shared/providers/mail/d.ts';",
      'shared/providers/mail/d.ts': "import type { E } from '#shared/domain/mail/e.ts';",
      'shared/domain/collaboration/tags/store.ts': "import { Table } from '#shared/table/table.ts';",
      'shared/domain/collaboration/tags/tag.ts': "import type { Item } from '#shared/table/table.ts';",
      'shared/domain/crm/contacts/a.ts': "import { b } from '#shared/domain/collaboration/tags/store.ts';",
      'shared/table/table.ts': "import { b } from '@aws-sdk/lib-dynamodb';",
      'shared/values.ts': "import { b } from './errors.ts';",
      'shared/errors.ts': '',
    };
    expect(checkTree(tree)).toEqual({ status: 0, problems: '' });
  });

  it('in a circle are refused, types aside', () => {
    const a = "import { b } from './b.ts';";
    const circle = {
      'shared/a.ts': a,
      'shared/b.ts': "import { c } from './c.ts';",
      'shared/c.ts': "import { a } from './a.ts';",
    };
    expect(checkTree(circle)).toMatchObject({
      status: 1,
      problems: expect.stringMatching(/in a circle: .*shared\/a\.ts.*shared\/b\.ts.*shared\/c\.ts/),
    });
    const types = { ...circle, 'shared/c.ts': "import type { A } from './a.ts';" };
    expect(checkTree(types)).toEqual({ status: 0, problems: '' });
  });
});
