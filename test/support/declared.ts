import { errorCodesOf } from '#shared/api/error-codes.ts';
import { isRetrieve } from '#shared/api/etag.ts';
import { successStatus } from '#shared/api/route.ts';
import { upserts } from '#shared/api/upsert.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import type { OperationResponse } from '../../infra/local/responses.ts';

/** Describes a response that its operation does not declare, or that contradicts the error catalogue. */
export function undeclared({ definition, status, error_code }: OperationResponse): string | undefined {
  const { name } = definition;
  if (error_code === undefined) {
    const declared = successStatus(definition);
    if (status === 304 && isRetrieve(definition)) return undefined;
    if (status === 200 && (upserts(definition) || definition.finds_existing)) return undefined;
    return status === declared ? undefined : `${name} answered ${status} and declares ${declared}`;
  }
  const code = error_code as ErrorCode;
  if (!errorCodesOf(definition).includes(code))
    return `${name} answered ${status} ${code}, which it does not declare`;
  const known = errorCatalogue[code].status;
  return status === known ? undefined : `${name} answered ${code} with ${status} in place of ${known}`;
}

/** Throws for a response that is not declared. */
export function holdToDeclared(response: OperationResponse): void {
  const problem = undeclared(response);
  if (problem) throw new Error(problem);
}
