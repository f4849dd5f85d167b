import fc from 'fast-check';

/** What models of lists ask. */

type Arbitraries<Question> = { [Name in keyof Question]: fc.Arbitrary<Question[Name]> };

/** They leave nothing out by themselves. */
const FREE = ['sort', 'tag_operator'];

/** Questions with half of the filters, and more with few: only what few of them filter has several pages. */
export function questionsWith<Question extends object>(
  asked: Arbitraries<Question>,
): fc.Arbitrary<Partial<Question>> {
  const few = Object.entries<fc.Arbitrary<unknown>>(asked).map(([name, drawn]) => [
    name,
    fc.oneof({ weight: FREE.includes(name) ? 1 : 6, arbitrary: fc.constant(undefined) }, drawn),
  ]);
  const sparse = fc.record(Object.fromEntries(few)).map((drawn) => {
    const sent = Object.entries(drawn).filter(([, value]) => value !== undefined);
    return Object.fromEntries(sent) as Partial<Question>;
  });
  const many = fc.record(asked, { requiredKeys: [] }) as fc.Arbitrary<Partial<Question>>;
  return fc.oneof(many, { weight: 3, arbitrary: sparse });
}
