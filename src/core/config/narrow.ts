import type { AnyValue, KeySpec } from './spec.ts';

/** Whether `wanted` allows no more than `allowed` does. */
export function isNarrower(spec: KeySpec, wanted: AnyValue, allowed: AnyValue): boolean {
  switch (spec.type) {
    case 'bool':
      return wanted === false || allowed === true;
    case 'int':
    case 'number': {
      const size = (value: AnyValue): number => (spec.zero === 'unlimited' && value === 0 ? Infinity : (value as number));
      return spec.narrower === 'less' ? size(wanted) <= size(allowed) : size(wanted) >= size(allowed);
    }
    case 'enum':
      return spec.values.indexOf(wanted as string) >= spec.values.indexOf(allowed as string);
    case 'list':
      return true;
    case 'string':
    case 'map':
      return false;
  }
}
