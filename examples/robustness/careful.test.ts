import { Shop } from './careful.ts'
import { testShop } from './tests.ts'

testShop(Shop)
