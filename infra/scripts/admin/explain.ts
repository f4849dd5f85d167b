import { ApiError, errorCatalogue } from '#shared/errors.ts';
import { Misuse } from '../../cli/options.ts';

/** Errors in one line that says what to do. */

const CREDENTIALS =
  'set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; `aws sts get-caller-identity` shows whether they work';

const noTable = (where: string) =>
  `There is no table for ${where} in this AWS account and region: check --stage, AWS_PROFILE and AWS_REGION.`;

/** By the names that AWS's SDK and services give. */
const EXPLANATIONS: Record<string, (where: string) => string> = {
  CredentialsProviderError: () => `There are no AWS credentials: ${CREDENTIALS}.`,
  ExpiredTokenException: () => `The AWS credentials have expired: sign in again, or ${CREDENTIALS}.`,
  UnrecognizedClientException: () => `AWS does not know the credentials: ${CREDENTIALS}.`,
  InvalidSignatureException: () => `AWS refuses the credentials: ${CREDENTIALS}.`,
  AccessDeniedException: (where) =>
    `The AWS credentials may not read and write the table of ${where}: use those of its operator.`,
  QueueDoesNotExist: (where) =>
    `There are no queues for ${where} in this AWS account and region: check --stage, AWS_PROFILE and AWS_REGION.`,
  ResourceNotFoundException: noTable,
  // Of a restore, whose other refusals say themselves what is wrong.
  SourceTableNotFoundException: noTable,
  TableNotFoundException: noTable,
};

/** ApiErrors name fields, commands name options. */
const OPTIONS: Record<string, string> = { email_address: '--email', expires: '--expires', api_key: 'A key' };

function explainRefusal({ code, message, fields }: ApiError): string {
  const [first] = Object.entries(fields ?? {});
  if (!first) return `${message} ${errorCatalogue[code].fix}`;
  const [field, { message: problem }] = first;
  return `${OPTIONS[field] ?? field} ${problem}.`;
}

function isUnreachable(error: Error & { code?: string }): boolean {
  return /^(E(CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|TIMEDOUT)|TimeoutError)$/.test(
    error.code ?? error.name,
  );
}

export function explain(error: unknown, where: string): string {
  if (error instanceof ApiError) return explainRefusal(error);
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Misuse) return error.message;
  if (error.message === 'Region is missing')
    return 'There is no AWS region: set AWS_REGION to the region of the stage.';
  if (isUnreachable(error))
    return `${where} does not answer (${(error as { code?: string }).code ?? error.name}).`;
  return EXPLANATIONS[error.name]?.(where) ?? `${error.name}: ${error.message}`;
}
