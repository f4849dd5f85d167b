import type { ErrorCode } from '#shared/errors.ts';
import { baseUrlOf } from './base-url.ts';
import type { ApiEvent } from './call.ts';

/** The address of a page of the documentation: absolute where the origin is known. */
export function docsUrl(event: ApiEvent, page = ''): string {
  return `${baseUrlOf(event)}/docs${page}`;
}

/** Where the documentation explains an error code. */
export const errorUrl = (event: ApiEvent, code: ErrorCode): string => docsUrl(event, `/errors#${code}`);
