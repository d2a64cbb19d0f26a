import type { AnyValue, KeySpec } from './spec.ts';

/** Whether `wanted` allows no more than `allowed` does. */
export function isNarrower(spec: KeySpec, wanted: AnyValue, allowed: AnyValue): boolean {
  switch (spec.type) {
    case 'bool':
      return wanted === false || allowed === true;
    case 'int':
    case 'number':
      return spec.narrower === 'less' ? (wanted as number) <= (allowed as number) : (wanted as number) >= (allowed as number);
    case 'enum':
      return spec.values.indexOf(wanted as string) >= spec.values.indexOf(allowed as string);
    case 'list':
      return true;
    case 'string':
    case 'map':
      return false;
  }
}
