import { describe, expect, it } from 'vitest';
import { errorCodesOf } from '#shared/api/error-codes.ts';
import { isRetrieve } from '#shared/api/etag.ts';
import { successStatus } from '#shared/api/route.ts';
import { upserts } from '#shared/api/upsert.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import { operations } from '../../functions/catalogue.ts';
import { responses } from '../../infra/local/responses.ts';
import { holdToDeclared, undeclared } from '../support/declared.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

describe('the responses of every operation', () => {
  it('are watched while tests run', () => {
    expect(responses.hasSubscribers).toBe(true);
  });

  it.each(operations)('$name: what it declares passes, and nothing else does', ({ definition }) => {
    const success = successStatus(definition);
    for (const status of [200, 201, 202, 204, 304, 400, 500])
      expect(undeclared({ definition, status, error_code: undefined }) === undefined).toBe(
        status === success ||
          (status === 304 && isRetrieve(definition)) ||
          (status === 200 && (upserts(definition) || definition.finds_existing === true)),
      );
    for (const code of codes) {
      const { status } = errorCatalogue[code];
      const declared = errorCodesOf(definition).includes(code);
      expect(undeclared({ definition, status, error_code: code }) === undefined, code).toBe(declared);
      expect(undeclared({ definition, status: success, error_code: code })).toBeDefined();
    }
  });

  it('fail the run when they are not declared', () => {
    const { definition } = operations[0] as (typeof operations)[number];
    const response = { definition, status: 418, error_code: undefined };
    expect(() => holdToDeclared(response)).toThrow('answered 418 and declares');
  });
});
