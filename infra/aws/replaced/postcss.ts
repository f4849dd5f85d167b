/**
 * In the bundles this stands for `postcss`, which sanitize-html only uses to parse `style` attributes. That is off
 * (shared/domain/platform/html/policy.ts): styles are read by code of ours. The parser is 90 kB.
 */
export function parse(): never {
  throw new Error('postcss is not in the bundles: see infra/aws/replaced/postcss.ts');
}
