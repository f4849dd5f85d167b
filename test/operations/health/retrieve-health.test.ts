import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireHealth } from '#shared/domain/platform/health/check.ts';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const MINUTE = Date.parse('2026-11-20T09:00:00Z');
const later = (milliseconds: number) => new Date(MINUTE + milliseconds);

describe('GET /health', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: the service and its table respond, without a key', async () => {
    const { status, body } = await workspace.client().retrieveHealth();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([status, body]).toEqual([200, { health: { status: 'ok', version } }]);
  });

  it('503: the table does not respond', async () => {
    const { table } = workspace.ctx;
    const { name } = table;
    Object.assign(table, { name: 'missing' });
    // Another moment: the state a moment ago is known.
    workspace.setTime(new Date(Date.now() + 60_000));
    const code = await codeOf(workspace.client().retrieveHealth());
    Object.assign(table, { name });
    workspace.setTime(undefined);
    expect(code).toBe('503 service_unavailable');
  });

  it('reads the table once in five seconds, however often it is asked', async () => {
    const { table } = workspace.ctx;
    const own = new Table(
      table.name,
      new DynamoDBClient(clientOptions(workspace.ctx.config.dynamodb_endpoint)),
    );
    let reads = 0;
    own.client.middlewareStack.add(
      (next) => (args) => {
        reads++;
        return next(args);
      },
      { step: 'initialize' },
    );
    for (const wait of [0, 0, 1, 4_999]) await requireHealth(own, later(wait));
    expect(reads).toBe(1);
    await requireHealth(own, later(5_000));
    expect(reads).toBe(2);
    own.client.destroy();
  });
});
