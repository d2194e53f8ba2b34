import { expect, it } from 'vitest'
import { firstFailure, lastLines } from '../../src/cli/matrix/test-output.ts'

it.each([
  [
    'TAP',
    '# Subtest: shop\n    ok 1 - opens\n    not ok 2 - bills once\n    not ok 3 - later\nnot ok 1 - shop\n',
    'bills once',
  ],
  [
    'TAP without what is expected',
    `not ok 1 - a # TO${'DO'} later\nnot ok 2 - b # SKIP\nnot ok 3 - c\n`,
    'c',
  ],
  ['node', '▶ shop\n  ✔ opens (1.2ms)\n  ✖ bills once (3.4ms)\n✖ shop (5ms)\n', 'bills once'],
  [
    'JUnit',
    '<testsuite><testcase name="opens" time="1"/><testcase\n name="bills &quot;once&quot;" time="2">\n<failure message="2"/></testcase></testsuite>',
    'bills "once"',
  ],
  [
    'vitest',
    '\u001b[31m ❯ shop.test.ts\u001b[39m\n   × shop > bills once 12ms\n\n\u001b[41m FAIL \u001b[49m shop.test.ts > shop > bills once\nAssertionError\n',
    'shop.test.ts > shop > bills once',
  ],
  [
    'pytest',
    'FF [100%]\n=== short test summary info ===\nFAILED test_shop.py::test_once[a b] - assert 2 == 1\nFAILED test_shop.py::test_two\n',
    'test_shop.py::test_once[a b]',
  ],
  ['Jest', 'FAIL ./shop.test.js\n  ● shop › bills once\n\n    expect(2)\n', 'shop › bills once'],
  ['anything else', 'Error: expected 1, got 2\n', null],
])('finds the first failed test in what %s prints', (_, output, name) => {
  expect(firstFailure(output)).toBe(name)
})

it('keeps the last lines that say something', () => {
  expect(lastLines('1\n2\n3\n\n4\n5\r\n\u001b[31m6\u001b[39m\n\n')).toEqual([
    '2',
    '3',
    '4',
    '5',
    '6',
  ])
})
